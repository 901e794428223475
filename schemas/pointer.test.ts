import { describe, expect, it } from "vitest";
import type { Json } from "./json.ts";
import * as pointer from "./pointer.ts";

/** The examples of RFC 6901, section 5. */
const document: Json = {
  foo: ["bar", "baz"],
  "": 0,
  "a/b": 1,
  "c%d": 2,
  "e^f": 3,
  "g|h": 4,
  "i\\j": 5,
  'k"l': 6,
  " ": 7,
  "m~n": 8,
};

describe("at and has", () => {
  it.each<[string, Json]>([
    ["", document],
    ["/foo", ["bar", "baz"]],
    ["/foo/0", "bar"],
    ["/", 0],
    ["/a~1b", 1],
    ["/c%d", 2],
    ["/e^f", 3],
    ["/g|h", 4],
    ["/i\\j", 5],
    ['/k"l', 6],
    ["/ ", 7],
    ["/m~0n", 8],
  ])('find "%s"', (place, value) => {
    expect(pointer.has(place, document)).toBe(true);
    expect(pointer.at(place, document)).toEqual(value);
  });

  it.each([
    "/none",
    "/foo/2",
    "/foo/-",
    "/foo/00",
    "/foo/01",
    "/foo/0/0",
    "/foo/length",
    "/toString",
    "/constructor/name",
    "/__proto__",
  ])('find nothing at "%s"', (place) => {
    expect(pointer.has(place, document)).toBe(false);
    expect(pointer.at(place, document)).toBeUndefined();
  });

  it("find null, and own members with any name", () => {
    expect(pointer.at("/a", { a: null })).toBeNull();
    expect(pointer.at("/__proto__/x", JSON.parse('{"__proto__":{"x":1}}'))).toBe(1);
  });

  it("refuse a string that is not a pointer", () => expect(() => pointer.has("foo", document)).toThrow(RangeError));
});

describe("append, segments and split", () => {
  it("undo each other", () => {
    const steps = ["a/b", "m~n", "~1", "", "0"];
    const place = steps.reduce((pointerSoFar, step) => pointer.append(pointerSoFar, step), "");
    expect(place).toBe("/a~1b/m~0n/~01//0");
    expect(pointer.segments(place)).toEqual(steps);
    expect(pointer.split(place)).toEqual({ parent: "/a~1b/m~0n/~01/", last: "0" });
    expect(pointer.split("/a~1b")).toEqual({ parent: "", last: "a/b" });
    expect(pointer.segments("")).toEqual([]);
    expect(pointer.append("/foo", 1)).toBe("/foo/1");
  });
});

describe("related", () => {
  it.each<[string, string, boolean]>([
    ["/a", "/a", true],
    ["/a", "/a/b", true],
    ["/a/b", "/a", true],
    ["", "/a", true],
    ["/a", "/ab", false],
    ["/a/b", "/a/c", false],
  ])("%s and %s are related: %s", (a, b, expected) => expect(pointer.areRelated(a, b)).toBe(expected));
});
