import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../schemas/index.ts";
import { fixedValuesIn, mayBeDocument, selectorsOf, unknownKind } from "./kinds.ts";
import { locateSchemas } from "./locations.ts";

/** Finds the fixed values in a schema. */
const fixedValuesOf = (schema: JsonObject) => {
  const schemaWithId = { $id: "https://example.test/whole", ...schema };
  return fixedValuesIn(schemaWithId, locateSchemas([schemaWithId]));
};
const callValues = (method: string, otherProperties: JsonObject = {}) =>
  fixedValuesOf({ properties: { method: { const: method }, jsonrpc: { const: "2.0" }, ...otherProperties } });

describe("the fixed values in a schema", () => {
  it("are found through references, allOf, alternatives and nested members", () => {
    const values = fixedValuesOf({
      allOf: [{ $ref: "#/$defs/base" }],
      properties: { params: { properties: { name: { enum: ["one", "two"] } } } },
      $defs: { base: { properties: { method: { $ref: "#/$defs/method" } } }, method: { const: "call" } },
    });
    expect(Object.fromEntries(values)).toEqual({ "/params/name": ["one", "two"], "/method": ["call"] });
    const alternativeValues = fixedValuesOf({
      oneOf: [{ properties: { type: { const: "a" } } }, { properties: { type: { const: "b" } } }],
    });
    expect(Object.fromEntries(alternativeValues)).toEqual({ "/type": ["a", "b"] });
  });

  it("are empty if an alternative accepts other values, or if the schema is recursive", () => {
    expect(fixedValuesOf({ anyOf: [{ properties: { type: { const: "a" } } }, { type: "object" }] }).size).toBe(0);
    expect(fixedValuesOf({ properties: { next: { $ref: "#" } }, allOf: [{ $ref: "#" }] }).size).toBe(0);
  });

  it("exclude messages with a different value", () => {
    expect(mayBeDocument({ method: "get" }, callValues("get"))).toBe(true);
    expect(mayBeDocument({ method: "drop" }, callValues("get"))).toBe(false);
    expect(mayBeDocument({}, callValues("get"))).toBe(true);
  });
});

describe("selectors", () => {
  it("are the values that distinguish documents, even at several levels", () => {
    const tool = (name: string) => callValues("tools/call", { params: { properties: { name: { const: name } } } });
    expect(selectorsOf([callValues("list"), tool("add"), tool("sum"), fixedValuesOf({ type: "object" })])).toEqual([
      { "/method": ["list"] },
      { "/method": ["tools/call"], "/params/name": ["add"] },
      { "/method": ["tools/call"], "/params/name": ["sum"] },
      {},
    ]);
    expect(selectorsOf([callValues("get"), callValues("get")])).toEqual([{}, {}]);
  });
});

describe("selectors of many documents", () => {
  it("read each list of values at most three times", () => {
    let readCount = 0;
    class CountingMap extends Map<string, Json[]> {
      override get(place: string): Json[] | undefined {
        readCount += 1;
        return super.get(place);
      }
    }
    const members = Array.from({ length: 30 }, (_, index) => `/m${index}`);
    const documents = members.map((_, index) => new CountingMap(members.map((at) => [at, [`${at} ${index}`]])));
    const selectors = selectorsOf(documents);
    expect(selectors[29]).toEqual(Object.fromEntries(members.map((at) => [at, [`${at} 29`]])));
    expect(readCount).toBeLessThan(3 * documents.length * members.length);
  });
});

describe("an unknown kind", () => {
  const calls = [callValues("get"), callValues("drop")];

  it.each([
    ["a method that no document has", { method: "list" }, "/method"],
    ["a method that no document has, in a batch", [{ method: "get" }, { method: "list" }], "/1/method"],
    ["a known method", { method: "get" }, undefined],
    ["no method", { id: 1 }, undefined],
    ["a method that is not a string", { method: 7 }, undefined],
    ["a method that is null", { method: null }, undefined],
    [
      "an unknown version, in a member that does not distinguish documents",
      { method: "get", jsonrpc: "1.0" },
      undefined,
    ],
    ["a message that is not an object", "get", undefined],
  ])("is found only in a distinguishing member with a new value of the known type: %s", (_, data, at) => {
    expect(unknownKind(data, calls)).toBe(at);
  });

  it("is recognised only by distinguishing members, not by others that happen to differ", () => {
    const documents = [callValues("get", { unit: { const: "x" } }), callValues("drop", { unit: { const: "y" } })];
    expect(unknownKind({ method: "get", unit: "z" }, documents)).toBeUndefined();
    expect(unknownKind({ method: "list", unit: "x" }, documents)).toBe("/method");
    const params = (mode: string) => ({ params: { properties: { mode: { const: mode } } } });
    const inner = [callValues("get", params("a")), callValues("drop", params("b"))];
    expect(unknownKind({ method: "get", params: { mode: "c" } }, inner)).toBeUndefined();
  });

  it("may be in a member within a known kind", () => {
    const tool = (name: string) => callValues("tools/call", { params: { properties: { name: { const: name } } } });
    const documents = [callValues("initialize"), tool("add"), tool("sum")];
    expect(unknownKind({ method: "tools/call", params: { name: "mean" } }, documents)).toBe("/params/name");
    expect(unknownKind({ method: "tools/call", params: { name: "sum" } }, documents)).toBeUndefined();
    expect(unknownKind({ method: "initialize", params: { name: "mean" } }, documents)).toBeUndefined();
  });

  it("is not reported if there is only one document", () => {
    expect(unknownKind({ method: "list" }, [callValues("get")])).toBeUndefined();
  });
});
