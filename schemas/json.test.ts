import { describe, expect, it } from "vitest";
import { canonical } from "./canonical.ts";
import { copyOf, equal, isObject, type Json, type JsonObject, setMember, typeOf } from "./json.ts";

describe("typeOf", () => {
  it.each<[Json, string]>([
    [null, "null"],
    [false, "boolean"],
    [1.5, "number"],
    ["", "string"],
    [[], "array"],
    [{}, "object"],
  ])("of %j is %s", (value, type) => expect(typeOf(value)).toBe(type));
});

describe("isObject", () => {
  it.each([null, [], "{}", 1, undefined])("is false for %j", (value) => expect(isObject(value)).toBe(false));
  it("is true for an object", () => expect(isObject({})).toBe(true));
});

describe("setMember", () => {
  it("sets an own member of any name, and leaves the prototype unchanged", () => {
    const object: JsonObject = {};
    setMember(object, "__proto__", { polluted: true });
    setMember(object, "a", 1);
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
    expect(JSON.stringify(object)).toBe('{"__proto__":{"polluted":true},"a":1}');
    setMember(object, "a", 2);
    expect(object.a).toBe(2);
    expect(({} as JsonObject).polluted).toBeUndefined();
  });
});

describe("equal", () => {
  it.each<[Json, Json]>([
    [null, null],
    [1, 1.0],
    [0, -0],
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ],
    [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
  ])("is true for %j and %j", (a, b) => expect([equal(a, b), equal(b, a)]).toEqual([true, true]));

  it.each<[Json, Json]>([
    [null, {}],
    [1, "1"],
    [1, true],
    [0, false],
    [[], {}],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 1]],
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: 1 }, { b: 1 }],
    [{}, JSON.parse('{"__proto__":{}}')],
    [{ toString: 1 }, { valueOf: 1 }],
  ])("is false for %j and %j", (a, b) => expect([equal(a, b), equal(b, a)]).toEqual([false, false]));

  it("compares values of any depth", () => {
    const nested = (text: string): Json => JSON.parse(`${"[".repeat(10_000)}${text}${"]".repeat(10_000)}`) as Json;
    expect(equal(nested("1"), nested("1"))).toBe(true);
    expect(equal(nested("1"), nested("2"))).toBe(false);
  });
});

describe("canonical", () => {
  it("sorts members by UTF-16 code units and writes numbers as ECMAScript does", () => {
    expect(canonical({ "\u{1f600}": 1, "\ufb33": 2, b: [1.0, 1e30, -0], a: "é\n" })).toBe(
      '{"a":"é\\n","b":[1,1e+30,0],"\u{1f600}":1,"\ufb33":2}',
    );
  });

  it("refuses a lone surrogate", () => expect(() => canonical("\ud800")).toThrow());
});

describe("a copy", () => {
  it("is equal, and shares no object with the original", () => {
    const value = JSON.parse('{"a":[{"b":null},[1,"x"]],"__proto__":{"c":{}},"constructor":{"d":[]}}') as JsonObject;
    const copy = copyOf(value) as JsonObject;
    expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    const nestedObjects = (part: Json): object[] =>
      typeof part === "object" && part !== null ? [part, ...Object.values(part).flatMap(nestedObjects)] : [];
    const originals = new Set(nestedObjects(value));
    expect(originals.size).toBe(8);
    expect(nestedObjects(copy).filter((part) => originals.has(part))).toEqual([]);
  });

  it("copies any depth that the engine itself can copy", () => {
    const nested = (depth: number): Json => (depth === 0 ? "x" : [nested(depth - 1)]);
    expect(JSON.stringify(copyOf(nested(2000)))).toBe(JSON.stringify(nested(2000)));
  });
});
