import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { facet } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import { nodeAt } from "../model/model.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { resizeValue } from "./resizing.ts";

const items = (size: number) =>
  facet(kinds.array, ({ array }) => {
    array.min = size;
    array.max = size;
  });
const characters = (size: number) =>
  facet(kinds.string, ({ string }) => {
    string.min = size;
    string.max = size;
  });
const nodeOf = async (schema: JsonObject) => {
  const model = await compileModel([document(schema)], id);
  return nodeAt(model, model.root);
};

describe("resizeValue", () => {
  it("repeats or cuts the present value", async () => {
    const list = await nodeOf({ type: "array", items: { type: "integer" }, maxItems: 4 });
    expect(resizeValue(list, [items(5)], [1, 2])).toEqual([1, 2, 1, 2, 1]);
    expect(resizeValue(list, [items(1)], [1, 2])).toEqual([1]);
    const text = await nodeOf({ type: "string", maxLength: 3 });
    expect(resizeValue(text, [characters(4)], "a😀")).toBe("a😀a😀");
  });

  it.each<[string, JsonObject]>([
    ["a pattern", { type: "string", maxLength: 3, pattern: "^a" }],
    ["different items", { type: "array", maxItems: 3, uniqueItems: true }],
    ["a reference", { type: "string", maxLength: 3, $ref: "#/$defs/a", $defs: { a: {} } }],
  ])("returns undefined for a schema with %s", async (_what, schema) => {
    const node = await nodeOf(schema);
    expect(resizeValue(node, [characters(4)], "abc")).toBeUndefined();
    expect(resizeValue(node, [items(4)], [1, 2])).toBeUndefined();
  });

  it("returns undefined for values that cannot be repeated, have a different type, or have further constraints", async () => {
    const list = await nodeOf({ type: "array", maxItems: 3 });
    expect(resizeValue(list, [items(4)], [])).toBeUndefined();
    expect(resizeValue(list, [items(4)], "a")).toBeUndefined();
    expect(resizeValue(list, [items(4)], undefined)).toBeUndefined();
    expect(resizeValue(list, [items(4), { op: "in", values: [[]] }], [1])).toBeUndefined();
  });
});
