import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { compileAjv } from "../oracle/ajv.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { edited, type Mutant, mutated } from "./mutant.ts";
import { mutants } from "./mutants.ts";

const other = "https://example.org/other.schema.json";
const word = { type: "string", minLength: 3, pattern: "^[a-z]+$" };
const pair = { properties: { x: { $ref: "#/$defs/word" }, y: { $ref: "#/$defs/word" } } };
const drafts: [string, JsonObject[]][] = [
  [
    "in one document",
    [document({ properties: { a: { $ref: "#/$defs/pair" }, b: { $ref: "#/$defs/pair" } }, $defs: { pair, word } })],
  ],
  [
    "in another one, the whole of it",
    [
      document({ properties: { a: { $ref: other }, b: { $ref: other } } }),
      { ...document({ ...pair, $defs: { word } }), $id: other },
    ],
  ],
  [
    "of draft-07",
    [
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        $id: id,
        properties: { a: { $ref: "#/definitions/pair" }, b: { $ref: "#/definitions/pair" } },
        definitions: {
          pair: { properties: { x: { $ref: "#/definitions/word" }, y: { $ref: "#/definitions/word" } } },
          word,
        },
      },
    ],
  ],
];

describe.each(drafts)("a mistake in one use of a definition %s", async (_, schemas) => {
  const model = await compileModel(schemas, id);
  const all = mutants(model, schemas).filter(({ operator }) => operator === "one-copy");
  const says = (mutant: Mutant, data: Json): boolean[] => [
    isValid(mutated(model, mutant), data),
    compileAjv(edited(schemas, mutant.edits), id, "quick")(data),
  ];
  const find = (what: string): Mutant | undefined => all.find((mutant) => mutant.says === what);

  it.each([
    ["minLength is not checked", "no"],
    ["pattern is not checked", "NONE"],
    ["type is not checked", 1],
  ])("%s where it is made, and there alone", (what, value) => {
    for (const path of ["a.x", "a.y", "b.x", "b.y"]) {
      const mutant = find(`${what}, in \`${path}\` alone`) as Mutant;
      for (const [outer, inner] of ["a.x", "a.y", "b.x", "b.y"].map((each) => each.split(".") as [string, string]))
        expect(says(mutant, { [outer]: { [inner]: value } })).toEqual(
          path === `${outer}.${inner}` ? [true, true] : [false, false],
        );
    }
  });

  it("is each mistake in the first two uses, and an assertion that is left out in all of them", () => {
    const of = (what: string) => ["a.x", "a.y", "b.x", "b.y"].filter((path) => find(`${what}, in \`${path}\` alone`));
    expect(of("minLength is 4 instead of 3")).toEqual(["a.x", "a.y"]);
    expect(of("minLength is not checked")).toEqual(["a.x", "a.y", "b.x", "b.y"]);
  });
});

describe("a definition", () => {
  const made = async (schema: JsonObject) => {
    const schemas = [document(schema)];
    return mutants(await compileModel(schemas, id), schemas).filter(({ operator }) => operator === "one-copy");
  };

  it("that is used once has one copy", async () => {
    expect(await made({ properties: { a: { $ref: "#/$defs/word" } }, $defs: { word } })).toEqual([]);
  });

  it("that has a name within is not copied", async () => {
    const named = { properties: { a: { $anchor: "here" }, b: { minimum: 1 } } };
    const use = { $ref: "#/$defs/named" };
    const all = await made({ properties: { a: use, b: use }, $defs: { named } });
    expect(all.filter(({ keyword }) => keyword === "minimum")).toEqual([]);
  });
});
