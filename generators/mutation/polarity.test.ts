import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { isMonotonic } from "./polarity.ts";

const ask = async (schema: JsonObject, at: string) =>
  isMonotonic(await compileModel([document({ ...schema, $defs: { short: { maxLength: 3 } } })], id), [`${id}#${at}`]);

const short = { $ref: "#/$defs/short" };

describe("isUpright", () => {
  it.each<[string, JsonObject]>([
    ["members", { properties: { a: short } }],
    ["members by pattern, others and names", { patternProperties: { "^a": short }, propertyNames: short }],
    ["items", { items: short, prefixItems: [short] }],
    ["branches of which one or all must hold", { anyOf: [short, { allOf: [short] }] }],
    ["what follows from a condition", { if: { type: "string" }, then: short, else: short }],
    ["what depends on a member", { dependentSchemas: { a: short } }],
    ["so many items or more", { contains: short, minContains: 2 }],
  ])("holds below %s", async (_what, schema) => {
    expect(await ask(schema, "/$defs/short")).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ["a negation", { not: short }],
    ["a negation far above", { properties: { a: { not: { properties: { b: short } } } } }],
    ["branches of which only one may hold", { oneOf: [short, { type: "string" }] }],
    ["a condition", { if: short, then: { type: "string" } }],
    ["so many items at most", { contains: short, maxContains: 2 }],
    ["what others leave over", { allOf: [short], unevaluatedProperties: false }],
  ])("does not hold below %s", async (_what, schema) => {
    expect(await ask(schema, "/$defs/short")).toBe(false);
  });

  it("asks of the way to the schema, and not of others", async () => {
    expect(await ask({ properties: { a: short }, not: { type: "null" } }, "/$defs/short")).toBe(true);
    expect(await ask({ properties: { a: short }, not: { type: "null" } }, "/not")).toBe(false);
  });

  it("does not hold if references depend on the path", async () => {
    const other = { $id: "other", $dynamicAnchor: "any", $ref: "deep" };
    const deep = { $id: "deep", $dynamicAnchor: "any", properties: { b: { $dynamicRef: "#any" } } };
    const schema = { properties: { a: short }, anyOf: [{ $ref: "deep" }, { $ref: "other" }] };
    const model = await compileModel([document({ ...schema, $defs: { short: { maxLength: 3 }, other, deep } })], id);
    expect(isMonotonic(model, [`${id}#/$defs/short`])).toBe(false);
    expect(
      await ask({ $dynamicAnchor: "any", properties: { a: short, b: { $dynamicRef: "#any" } } }, "/$defs/short"),
    ).toBe(true);
  });
});
