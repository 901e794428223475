import { describe, expect, it } from "vitest";
import type { Json } from "../../schemas/index.ts";
import { bytes, escapedLower, escapedUpper, writeText } from "./text.ts";

const value: Json = { a: [1, { "b/c": null }], d: "é😀", e: {}, f: [] };

describe("write", () => {
  it("writes as JSON.stringify does", () => {
    expect(writeText(value).text).toBe(JSON.stringify(value));
  });

  it("returns the places of values and names", () => {
    const { text, values, names } = writeText(value, { between: " " });
    const at = (span: { start: number; end: number } | undefined) => span && text.slice(span.start, span.end);
    expect(at(values.get(""))).toBe(text);
    expect(at(values.get("/a"))).toBe('[ 1 , { "b/c" : null } ]');
    expect(at(values.get("/a/1/b~1c"))).toBe("null");
    expect(at(names.get("/a/1/b~1c"))).toBe('"b/c"');
    expect(at(values.get("/f"))).toBe("[ ]");
    expect([...names.keys()]).toEqual(["/a", "/a/1/b~1c", "/d", "/e", "/f"]);
  });

  it.each([
    ["between", { between: "\t" }],
    ["names", { name: escapedLower }],
    ["strings", { string: escapedUpper }],
    ["numbers", { number: (number: number) => `${number}e0` }],
    ["order", { reversed: true }],
  ])("keeps the value in any style of %s", (_, style) => {
    const { text } = writeText(value, style);
    expect(text).not.toBe(writeText(value).text);
    expect(JSON.parse(text)).toEqual(value);
  });

  it("reverses members but not items", () => {
    expect(writeText({ a: 1, b: [1, 2] }, { reversed: true }).text).toBe('{"b":[1,2],"a":1}');
  });
});

describe("escapes", () => {
  it("are surrogate pairs for characters beyond U+FFFF", () => {
    expect(escapedLower("ä😀")).toBe('"\\u00e4\\ud83d\\ude00"');
    expect(escapedUpper("ä😀")).toBe('"\\u00E4\\uD83D\\uDE00"');
  });
});

describe("bytes", () => {
  it("joins texts in UTF-8 and bytes", () => {
    expect([...bytes("é", [0xff], "a")]).toEqual([0xc3, 0xa9, 0xff, 0x61]);
  });
});
