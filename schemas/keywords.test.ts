import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Dialect, dialects } from "./dialect.ts";
import { keywordMeant, keywordsOf } from "./keywords.ts";

const dialect = (name: string): Dialect => dialects.find((each) => each.name === name) as Dialect;
const published = dirname(fileURLToPath(import.meta.resolve("ajv/dist/refs/json-schema-draft-07.json")));
const namesIn = (file: string): string[] => Object.keys(JSON.parse(readFileSync(file, "utf8")).properties ?? {});
const here = join(import.meta.dirname, "draft-04.json");

describe("the keywords of a dialect", () => {
  it.each([
    ["draft-04", [here]],
    ["draft-06", [join(published, "json-schema-draft-06.json")]],
    ["draft-07", [join(published, "json-schema-draft-07.json")]],
    ...["2019-09", "2020-12"].map((name): [string, string[]] => {
      const folder = join(published, `json-schema-${name}/meta`);
      return [name, readdirSync(folder).map((file) => join(folder, file))];
    }),
  ])("are in %s those that its meta-schema knows", (name, files) => {
    // Ajv's copy of draft-07 forgets one; two were given up in 2019 and are read still; one only marks where `$recursiveRef` may lead.
    const given = [
      ...files.flatMap(namesIn),
      "definitions",
      "dependencies",
      ...(name === "draft-07" ? ["writeOnly"] : []),
    ];
    const expected = new Set(given.filter((each) => each !== "$recursiveAnchor"));
    expect([...keywordsOf(dialect(name))].sort()).toEqual([...expected].sort());
  });
});

describe("the keyword that is meant", () => {
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
  ])("by %j in %s is %j", (name, of, meant) => {
    expect(keywordMeant(name, dialect(of))).toBe(meant);
  });
});
