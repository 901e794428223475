import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Dialect, dialects } from "./dialect.ts";
import { keywordsOf, suggestKeyword } from "./keywords.ts";

const dialect = (name: string): Dialect => dialects.find((candidate) => candidate.name === name) as Dialect;
const metaSchemaFolder = dirname(fileURLToPath(import.meta.resolve("ajv/dist/refs/json-schema-draft-07.json")));
const namesIn = (file: string): string[] => Object.keys(JSON.parse(readFileSync(file, "utf8")).properties ?? {});
const draft04File = join(import.meta.dirname, "draft-04.json");

describe("the keywords of a dialect", () => {
  it.each([
    ["draft-04", [draft04File]],
    ["draft-06", [join(metaSchemaFolder, "json-schema-draft-06.json")]],
    ["draft-07", [join(metaSchemaFolder, "json-schema-draft-07.json")]],
    ...["2019-09", "2020-12"].map((name): [string, string[]] => {
      const folder = join(metaSchemaFolder, `json-schema-${name}/meta`);
      return [name, readdirSync(folder).map((file) => join(folder, file))];
    }),
  ])("match its meta-schema in %s", (name, files) => {
    // Ajv's copy of draft-07 lacks one keyword; two were dropped in 2019 but are still read; one only marks targets of `$recursiveRef`.
    const namesInMetaSchemas = [
      ...files.flatMap(namesIn),
      "definitions",
      "dependencies",
      ...(name === "draft-07" ? ["writeOnly"] : []),
    ];
    const expected = new Set(namesInMetaSchemas.filter((name) => name !== "$recursiveAnchor"));
    expect([...keywordsOf(dialect(name))].sort()).toEqual([...expected].sort());
  });
});

describe("the intended keyword", () => {
  it.each([
    ["minLenght", "2020-12", "minLength"],
    ["typ", "2020-12", "type"],
    ["tpye", "2020-12", "type"],
    ["requried", "draft-04", "required"],
    ["ref", "draft-07", "$ref"],
    ["prefixitems", "2020-12", "prefixItems"],
    ["prefixitems", "draft-07", undefined],
    ["id", "draft-07", undefined],
    ["additionalItems", "2020-12", undefined],
    ["minLength", "2020-12", undefined],
    ["min", "2020-12", undefined],
    ["ui", "2020-12", undefined],
    ["nullable", "2020-12", undefined],
    ["x-type", "2020-12", undefined],
    ["$typ", "2020-12", undefined],
    ["", "2020-12", undefined],
    ["addtionalProperties", "2020-12", "additionalProperties"],
    ["enmu", "2020-12", "enum"],
    ["itmes", "2020-12", "items"],
    ["titlee", "2020-12", "title"],
    ["propertes", "draft-07", "properties"],
    ["desciption", "2019-09", "description"],
    ["min_length", "2020-12", "minLength"],
    ["MINLENGTH", "2020-12", "minLength"],
    ["minItem", "2020-12", "minItems"],
    ["patternPropertys", "2020-12", "patternProperties"],
    ["dependantRequired", "2020-12", "dependentRequired"],
  ])("behind %j in %s is %j", (name, of, meant) => {
    expect(suggestKeyword(name, dialect(of))).toBe(meant);
  });

  it.each(
    [
      "note notes unit units form forma formats types typed order tags item defaults label labels group requires require",
      "container content contents definition descriptor example tile titel pattern2 patterns dtype xtype typeId isType",
      "notIn noneOf manyOf titleDe title_de description_fr readOnce writeOnce headOnly maxTerms minTimes prefixes name",
      "comment schema anchor num thing one all any hidden enums enumNames errorMessage propertyOrder minDate maxSize inclusiveMaximum",
    ].flatMap((line) => line.split(" ")),
  )("finds no intended keyword for %j, a user's own name", (name) => {
    expect(dialects.flatMap((candidate) => suggestKeyword(name, candidate) ?? [])).toEqual([]);
  });
});
