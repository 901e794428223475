import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../schemas/index.ts";
import { fixedValuesIn, mayBeDocument, selectorsOf, unknownKind } from "./kinds.ts";
import { locateSchemas } from "./locations.ts";

/** The fixed values in a schema. */
const words = (schema: JsonObject) => {
  const schemaWithId = { $id: "https://example.test/whole", ...schema };
  return fixedValuesIn(schemaWithId, locateSchemas([schemaWithId]));
};
const call = (method: string, otherProperties: JsonObject = {}) =>
  words({ properties: { method: { const: method }, jsonrpc: { const: "2.0" }, ...otherProperties } });

describe("the fixed values in a schema", () => {
  it("are found through references, allOf, alternatives and nested members", () => {
    const found = words({
      allOf: [{ $ref: "#/$defs/base" }],
      properties: { params: { properties: { name: { enum: ["one", "two"] } } } },
      $defs: { base: { properties: { method: { $ref: "#/$defs/method" } } }, method: { const: "call" } },
    });
    expect(Object.fromEntries(found)).toEqual({ "/params/name": ["one", "two"], "/method": ["call"] });
    const either = words({
      oneOf: [{ properties: { type: { const: "a" } } }, { properties: { type: { const: "b" } } }],
    });
    expect(Object.fromEntries(either)).toEqual({ "/type": ["a", "b"] });
  });

  it("are empty if an alternative accepts other values, or if the schema is recursive", () => {
    expect(words({ anyOf: [{ properties: { type: { const: "a" } } }, { type: "object" }] }).size).toBe(0);
    expect(words({ properties: { next: { $ref: "#" } }, allOf: [{ $ref: "#" }] }).size).toBe(0);
  });

  it("exclude messages with another value", () => {
    expect(mayBeDocument({ method: "get" }, call("get"))).toBe(true);
    expect(mayBeDocument({ method: "drop" }, call("get"))).toBe(false);
    expect(mayBeDocument({}, call("get"))).toBe(true);
  });
});

describe("selectors", () => {
  it("are the values that distinguish documents, also at several levels", () => {
    const tool = (name: string) => call("tools/call", { params: { properties: { name: { const: name } } } });
    expect(selectorsOf([call("list"), tool("add"), tool("sum"), words({ type: "object" })])).toEqual([
      { "/method": ["list"] },
      { "/method": ["tools/call"], "/params/name": ["add"] },
      { "/method": ["tools/call"], "/params/name": ["sum"] },
      {},
    ]);
    expect(selectorsOf([call("get"), call("get")])).toEqual([{}, {}]);
  });
});

describe("selectors of many documents", () => {
  it("are found without reading a list of values often", () => {
    let readCount = 0;
    class CountedWords extends Map<string, Json[]> {
      override get(place: string): Json[] | undefined {
        readCount += 1;
        return super.get(place);
      }
    }
    const members = Array.from({ length: 30 }, (_, index) => `/m${index}`);
    const documents = members.map((_, index) => new CountedWords(members.map((at) => [at, [`${at} ${index}`]])));
    const found = selectorsOf(documents);
    expect(found[29]).toEqual(Object.fromEntries(members.map((at) => [at, [`${at} 29`]])));
    expect(readCount).toBeLessThan(3 * documents.length * members.length);
  });
});

describe("an unknown kind", () => {
  const calls = [call("get"), call("drop")];

  it.each([
    ["a method of no document", { method: "list" }, "/method"],
    ["a method of no document in a batch", [{ method: "get" }, { method: "list" }], "/1/method"],
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
  ])("is located correctly for %s", (_, data, at) => {
    expect(unknownKind(data, calls)).toBe(at);
  });

  it("is recognised by the distinguishing members, not by others that happen to differ", () => {
    const documents = [call("get", { unit: { const: "x" } }), call("drop", { unit: { const: "y" } })];
    expect(unknownKind({ method: "get", unit: "z" }, documents)).toBeUndefined();
    expect(unknownKind({ method: "list", unit: "x" }, documents)).toBe("/method");
    const params = (mode: string) => ({ params: { properties: { mode: { const: mode } } } });
    const inner = [call("get", params("a")), call("drop", params("b"))];
    expect(unknownKind({ method: "get", params: { mode: "c" } }, inner)).toBeUndefined();
  });

  it("may be in a member within a known kind", () => {
    const tool = (name: string) => call("tools/call", { params: { properties: { name: { const: name } } } });
    const documents = [call("initialize"), tool("add"), tool("sum")];
    expect(unknownKind({ method: "tools/call", params: { name: "mean" } }, documents)).toBe("/params/name");
    expect(unknownKind({ method: "tools/call", params: { name: "sum" } }, documents)).toBeUndefined();
    expect(unknownKind({ method: "initialize", params: { name: "mean" } }, documents)).toBeUndefined();
  });

  it("is not searched for if there is only one document", () => {
    expect(unknownKind({ method: "list" }, [call("get")])).toBeUndefined();
  });
});
