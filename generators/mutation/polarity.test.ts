import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { isMonotonic } from "./polarity.ts";

const isMonotonicAt = async (schema: JsonObject, at: string) =>
  isMonotonic(await compileModel([document({ ...schema, $defs: { short: { maxLength: 3 } } })], id), [`${id}#${at}`]);

const short = { $ref: "#/$defs/short" };

describe("isMonotonic", () => {
  it.each<[string, JsonObject]>([
    ["members", { properties: { a: short } }],
    ["members by pattern, and names", { patternProperties: { "^a": short }, propertyNames: short }],
    ["items", { items: short, prefixItems: [short] }],
    ["branches of which at least one or all must hold", { anyOf: [short, { allOf: [short] }] }],
    ["the consequence of a condition", { if: { type: "string" }, then: short, else: short }],
    ["a dependent schema", { dependentSchemas: { a: short } }],
    ["a minimum number of matching items", { contains: short, minContains: 2 }],
  ])("holds below %s", async (_what, schema) => {
    expect(await isMonotonicAt(schema, "/$defs/short")).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ["a negation", { not: short }],
    ["a negation far above", { properties: { a: { not: { properties: { b: short } } } } }],
    ["branches of which exactly one must hold", { oneOf: [short, { type: "string" }] }],
    ["a condition", { if: short, then: { type: "string" } }],
    ["a maximum number of matching items", { contains: short, maxContains: 2 }],
    ["an object with checks for unevaluated members", { allOf: [short], unevaluatedProperties: false }],
  ])("does not hold below %s", async (_what, schema) => {
    expect(await isMonotonicAt(schema, "/$defs/short")).toBe(false);
  });

  it("considers only the path to the schema", async () => {
    expect(await isMonotonicAt({ properties: { a: short }, not: { type: "null" } }, "/$defs/short")).toBe(true);
    expect(await isMonotonicAt({ properties: { a: short }, not: { type: "null" } }, "/not")).toBe(false);
  });

  it("does not hold if the target of a reference depends on the path", async () => {
    const other = { $id: "other", $dynamicAnchor: "any", $ref: "deep" };
    const deep = { $id: "deep", $dynamicAnchor: "any", properties: { b: { $dynamicRef: "#any" } } };
    const schema = { properties: { a: short }, anyOf: [{ $ref: "deep" }, { $ref: "other" }] };
    const model = await compileModel([document({ ...schema, $defs: { short: { maxLength: 3 }, other, deep } })], id);
    expect(isMonotonic(model, [`${id}#/$defs/short`])).toBe(false);
    expect(
      await isMonotonicAt(
        { $dynamicAnchor: "any", properties: { a: short, b: { $dynamicRef: "#any" } } },
        "/$defs/short",
      ),
    ).toBe(true);
  });
});
