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

const uniqueWords = (count: number, pattern: string, maxLength = 99): JsonObject => ({
  type: "array",
  uniqueItems: true,
  minItems: count,
  items: { type: "string", pattern, maxLength },
});
const objectWithNames = (count: number, pattern: string): JsonObject => ({
  type: "object",
  minProperties: count,
  propertyNames: { pattern },
});
const twoClosedObjects = (count: number): JsonObject => ({
  type: "object",
  minProperties: count,
  propertyNames: { maxLength: 2 },
  allOf: [
    { patternProperties: { "^[ab]": { type: "integer" } }, additionalProperties: false },
    { patternProperties: { "[xy]$": { minimum: 3 } }, additionalProperties: false },
  ],
});

describe("finds as many different values as exist, and proves that there are no more", () => {
  it.each<[string, JsonObject, JsonObject]>([
    ["words that match a pattern", uniqueWords(10, "^[0-9]$"), uniqueWords(11, "^[0-9]$")],
    [
      "words that match an open-ended pattern and have a maximum length",
      uniqueWords(9, "^[1-9]+$", 1),
      uniqueWords(10, "^[1-9]+$", 1),
    ],
    ["names that match a pattern", objectWithNames(26, "^[a-z]$"), objectWithNames(27, "^[a-z]$")],
    ["hundreds of names that match a pattern", objectWithNames(676, "^[a-z]{2}$"), objectWithNames(677, "^[a-z]{2}$")],
    ["names that match patterns of two closed objects", twoClosedObjects(4), twoClosedObjects(5)],
  ])("%s", async (_, most, more) => {
    expect([await outcomeOf(most), await outcomeOf(more)]).toEqual(["found", "none"]);
  });
});

describe("recognises implied multiples", () => {
  it.each<[string, JsonObject, string]>([
    ["an integer is a multiple of a step that divides 1", { type: "integer", not: { multipleOf: 1e-8 } }, "none"],
    [
      "a common multiple of two steps is a multiple of their least common multiple",
      { type: "number", allOf: [{ multipleOf: 0.2 }, { multipleOf: 0.3 }], not: { multipleOf: 0.6 } },
      "none",
    ],
    [
      "a common multiple of two steps is not always a multiple of a larger step",
      { type: "number", allOf: [{ multipleOf: 0.2 }, { multipleOf: 0.3 }], not: { multipleOf: 1.2 } },
      "found",
    ],
    ["a number with a fraction is not always a multiple", { type: "number", not: { multipleOf: 0.25 } }, "found"],
  ])("%s", async (_, schema, outcome) => {
    expect(await outcomeOf(schema)).toBe(outcome);
  });
});

describe("handles multiples on which arithmetic differs", () => {
  it.each<[string, JsonObject, string]>([
    ["gives up if only 0.6 is left for 0.2", { type: "number", multipleOf: 0.2, minimum: 0.5, maximum: 0.7 }, "gaveUp"],
    ["accepts 0.6 for 0.3", { type: "number", multipleOf: 0.3, minimum: 0.5, maximum: 0.7 }, "found"],
    [
      "proves that a range has no multiple of 0.2",
      { type: "number", multipleOf: 0.2, minimum: 0.61, maximum: 0.7 },
      "none",
    ],
  ])("%s", async (_, schema, outcome) => {
    expect(await outcomeOf(schema)).toBe(outcome);
  });
});
