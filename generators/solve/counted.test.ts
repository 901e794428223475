import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { solve } from "./solve.ts";

async function outcomeOf(schema: JsonObject): Promise<string> {
  const model = await compileModel([document(schema)], id);
  const solution = solve(model, [{ op: "schema", node: model.root, sign: true, scope: {} }]);
  if ("found" in solution) expect(isValid(model, solution.found)).toBe(true);
  return Object.keys(solution)[0] as string;
}

const words = (count: number, pattern: string, maxLength = 99): JsonObject => ({
  type: "array",
  uniqueItems: true,
  minItems: count,
  items: { type: "string", pattern, maxLength },
});
const names = (count: number, pattern: string): JsonObject => ({
  type: "object",
  minProperties: count,
  propertyNames: { pattern },
});
const twoWays = (count: number): JsonObject => ({
  type: "object",
  minProperties: count,
  propertyNames: { maxLength: 2 },
  allOf: [
    { patternProperties: { "^[ab]": { type: "integer" } }, additionalProperties: false },
    { patternProperties: { "[xy]$": { minimum: 3 } }, additionalProperties: false },
  ],
});

describe("if there are finitely many values, the solver finds all and proves that there are no more", () => {
  it.each<[string, JsonObject, JsonObject]>([
    ["words of a pattern", words(10, "^[0-9]$"), words(11, "^[0-9]$")],
    ["words of a pattern without end that may be no longer", words(9, "^[1-9]+$", 1), words(10, "^[1-9]+$", 1)],
    ["names of a pattern", names(26, "^[a-z]$"), names(27, "^[a-z]$")],
    ["hundreds of names of a pattern", names(676, "^[a-z]{2}$"), names(677, "^[a-z]{2}$")],
    ["names that fulfil patterns of two closed objects", twoWays(4), twoWays(5)],
  ])("%s", async (_, most, more) => {
    expect([await outcomeOf(most), await outcomeOf(more)]).toEqual(["found", "none"]);
  });
});

describe("recognises implied multiples", () => {
  it.each<[string, JsonObject, string]>([
    ["whole numbers of a step that divides one", { type: "integer", not: { multipleOf: 1e-8 } }, "none"],
    [
      "of two steps, of their least common multiple",
      { type: "number", allOf: [{ multipleOf: 0.2 }, { multipleOf: 0.3 }], not: { multipleOf: 0.6 } },
      "none",
    ],
    [
      "not of a step that only some are",
      { type: "number", allOf: [{ multipleOf: 0.2 }, { multipleOf: 0.3 }], not: { multipleOf: 1.2 } },
      "found",
    ],
    ["not where numbers may have fractions", { type: "number", not: { multipleOf: 0.25 } }, "found"],
  ])("%s", async (_, schema, outcome) => {
    expect(await outcomeOf(schema)).toBe(outcome);
  });
});

describe("multiples on which arithmetic differs", () => {
  it.each<[string, JsonObject, string]>([
    ["0.6 of 0.2 proves nothing", { type: "number", multipleOf: 0.2, minimum: 0.5, maximum: 0.7 }, "gaveUp"],
    ["0.6 of 0.3 is one", { type: "number", multipleOf: 0.3, minimum: 0.5, maximum: 0.7 }, "found"],
    ["there is none of 0.2", { type: "number", multipleOf: 0.2, minimum: 0.61, maximum: 0.7 }, "none"],
  ])("%s", async (_, schema, outcome) => {
    expect(await outcomeOf(schema)).toBe(outcome);
  });
});
