import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../schemas/index.ts";
import { witnesses } from "./witness.ts";

const baseSchema = { type: "object", properties: { a: { type: "number", minimum: 1 }, b: { type: "string" } } };
const placesOf = (oldSchema: JsonObject, newSchema: JsonObject): string[] =>
  [...witnesses(oldSchema, newSchema)].map(({ at }) => at);

describe("witnesses", () => {
  it.each<[string, JsonObject]>([
    ["a bound", { ...baseSchema, properties: { a: { type: "number", minimum: 2 } } }],
    ["a condition", { ...baseSchema, if: { required: ["b"] }, then: { required: ["a"] } }],
    ["a dependent requirement", { ...baseSchema, dependentRequired: { a: ["b"] } }],
    ["a reference", { ...baseSchema, $defs: { x: { type: "integer" } }, properties: { a: { $ref: "#/$defs/x" } } }],
    ["a pattern for names", { ...baseSchema, propertyNames: { pattern: "^[a-z]+$" } }],
    ["a multiple", { ...baseSchema, properties: { a: { multipleOf: 1 } } }],
  ])("finds a message that is broken by %s", (_, changed) => {
    expect(placesOf(baseSchema, changed)).not.toEqual([]);
  });

  it.each<[string, JsonObject]>([
    [
      "a redundant bound",
      {
        ...baseSchema,
        properties: { ...baseSchema.properties, a: { type: "number", minimum: 1, exclusiveMinimum: 0.5 } },
      },
    ],
    ["additionalProperties with its default, true", { ...baseSchema, additionalProperties: true }],
    ["the same schema in allOf", { allOf: [baseSchema] }],
    ["an invalid schema", { ...baseSchema, properties: 5 }],
    ["an asynchronous schema", { ...baseSchema, $async: true }],
  ])("does not find a broken message for %s", (_, changed) => {
    expect(placesOf(baseSchema, changed)).toEqual([]);
  });
});
