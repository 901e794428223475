import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../schemas/index.ts";
import { witnesses } from "./witness.ts";

const open = { type: "object", properties: { a: { type: "number", minimum: 1 }, b: { type: "string" } } };
const placesOf = (old: JsonObject, now: JsonObject): string[] => [...witnesses(old, now)].map(({ at }) => at);

describe("messages that a change of a schema breaks", () => {
  it.each<[string, JsonObject]>([
    ["a bound", { ...open, properties: { a: { type: "number", minimum: 2 } } }],
    ["a condition", { ...open, if: { required: ["b"] }, then: { required: ["a"] } }],
    ["what is required with another", { ...open, dependentRequired: { a: ["b"] } }],
    ["a reference", { ...open, $defs: { x: { type: "integer" } }, properties: { a: { $ref: "#/$defs/x" } } }],
    ["names", { ...open, propertyNames: { pattern: "^[a-z]+$" } }],
    ["a step", { ...open, properties: { a: { multipleOf: 1 } } }],
  ])("are found by %s", (_, now) => {
    expect(placesOf(open, now)).not.toEqual([]);
  });

  it.each<[string, JsonObject]>([
    [
      "a bound that was there",
      { ...open, properties: { ...open.properties, a: { type: "number", minimum: 1, exclusiveMinimum: 0.5 } } },
    ],
    ["true for what is left out", { ...open, additionalProperties: true }],
    ["another way to say it", { allOf: [open] }],
    ["an invalid schema", { ...open, properties: 5 }],
    ["a promise", { ...open, $async: true }],
  ])("are not found by %s", (_, now) => {
    expect(placesOf(open, now)).toEqual([]);
  });
});
