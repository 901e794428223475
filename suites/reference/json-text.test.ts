import { describe, expect, it } from "vitest";
import { depthLimit, parseJson } from "./json-text.ts";

describe("parseJson", () => {
  it.each([
    ["a number beyond JSON", '{"a":NaN}', /NaN|Unexpected/],
    ["text after the value", "{} {}", /Unexpected|after JSON/],
    ["a byte order mark", "\uFEFF{}", /Unexpected|token/],
    ["nothing", "", /end of/],
    ["a repeated name", '{"a":1,"a":1}', /repeats the member name "a" at offset 7/],
    ["a repeated name after much space", `{"a":1,"a"${" ".repeat(500)}:1}`, /repeats/],
    ["a repeated name written in another way", '{"a":1,"\\u0061":1}', /repeats/],
    ["a repeated name below", '[{"b":{"a":[{}],"a":1}}]', /repeats/],
    ["a repeated __proto__", '{"__proto__":1,"__proto__":1}', /repeats/],
    ["half a surrogate pair", '["\\ud83d"]', /lone surrogate/],
    ["half a surrogate pair in a name", '{"\\ude00":1}', /lone surrogate/],
    ["more nesting than allowed", "[".repeat(depthLimit + 1) + "]".repeat(depthLimit + 1), /nested/],
    ["an open bracket for each byte", "[".repeat(1_000_000), /nested/],
  ])("refuses %s", (_, text, message) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
    expect(() => parseJson(text)).toThrow(message);
  });

  it.each([
    '{"a":{"a":1},"b":[{"a":1},{"a":1}]}',
    '{"a":"a","b":"a: a"}',
    '["a","a"]',
    '{"\\ud83d\\ude00":"\\ud83d\\ude00"}',
    '{"a\\"":1,"a":2,"a\\\\":3}',
    ' {"a"\n:\t"{\\"a\\":1,\\"a\\":1}"} ',
  ])("reads %s as JSON.parse does", (text) => {
    expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
  });

  it("reads nesting up to its limit", () => {
    expect(parseJson("[".repeat(depthLimit) + "]".repeat(depthLimit))).toHaveLength(1);
  });

  it("keeps __proto__ as an own member", () => {
    expect(Object.keys(parseJson('{"__proto__":{"x":1}}') as object)).toEqual(["__proto__"]);
  });
});
