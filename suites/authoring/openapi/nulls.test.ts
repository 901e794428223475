import { expect, it } from "vitest";
import type { JsonObject } from "../../../schemas/index.ts";
import { nullsContradiction, withoutNulls } from "./nulls.ts";

const marks = (nulled: string[]) => ({ discriminated: [], hidden: [], loosened: [], nulled });

it("null is removed from a list, and one of two readings adds it again", () => {
  const schema: JsonObject = { type: ["string", "null"], enum: ["a", null] };
  const lifts = withoutNulls("order", marks(["/enum"]), schema);
  expect(schema.enum).toEqual(["a"]);
  expect(lifts).toEqual([{ at: "schema:/order.schema.json#/enum", to: ["a", null] }]);
  const { readings } = nullsContradiction(lifts);
  expect(readings.map(({ lifts: readingLifts }) => readingLifts)).toEqual([undefined, lifts]);
});

it("the lift of an outer list contains the original inner lists", () => {
  const inner = { type: ["string", "null"], enum: ["a", null] };
  const schema: JsonObject = { anyOf: [{ allOf: [structuredClone(inner)] }, { type: "null" }] };
  const lifts = withoutNulls("order", marks(["/anyOf/0/allOf/0/enum", "/anyOf"]), schema);
  expect(schema).toEqual({ anyOf: [{ allOf: [{ ...inner, enum: ["a"] }] }] });
  expect(lifts.map(({ to }) => to)).toEqual([
    [{ allOf: [inner] }, { type: "null" }],
    ["a", null],
  ]);
});

it("a place that does not exist or is marked twice has no further effect", () => {
  const schema: JsonObject = { enum: ["a", "b", null] };
  expect(withoutNulls("order", marks(["/enum", "/enum", "/not/enum"]), schema)).toHaveLength(1);
  expect(schema).toEqual({ enum: ["a", "b"] });
});
