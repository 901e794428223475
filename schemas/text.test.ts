import { describe, expect, it } from "vitest";
import { depthLimit, readJson } from "./text.ts";
import { placeAt, placesIn } from "./text-place.ts";

describe("readJson", () => {
  it.each<[string, string | number[], string]>([
    [
      "nothing",
      "",
      "1:1: found the end of the text, expected a value\n  the file is empty: write a JSON value into it",
    ],
    ["an object without end", "{\n", "2:1: found the end of the text, expected a member name in double quotes"],
    ["a string without end", '["a', "1:4: found the end of the text, expected the string to end"],
    ["no value after a name", '{\r\n  "a":}', '2:7: found "}", expected a value'],
    ["no colon", '{"a" 1}', '1:6: found "1", expected ":"'],
    ["no comma", "[1 2]", '1:4: found "2", expected "," or "]"'],
    ["no comma between members", '{"a":1 "b":2}', '1:8: found a double quote, expected "," or "}"'],
    ["the wrong bracket", "[1}", '1:3: found "}", expected "," or "]"'],
    ["a trailing comma", "[1,]", '1:4: found "]", expected a value\n  remove the comma before it'],
    [
      "a trailing comma in an object",
      '{"a":1,\n}',
      '2:1: found "}", expected a member name in double quotes\n  remove the comma before it',
    ],
    ["a bare name", "{a:1}", '1:2: found "a", expected a member name'],
    ["single quotes", "['a']", '1:2: found "\'", expected a value\n  put texts in double quotes'],
    ["a number beyond JSON", '{"a":NaN}', '1:6: found "NaN", expected a value\n  JSON numbers are finite'],
    ["infinity", "[-Infinity]", '1:2: found "-Infinity"'],
    ["a leading zero", "[01]", '1:3: found "1", expected "," or "]"'],
    ["a fraction without digits", "1.", '1:2: found ".", expected the end of the text'],
    ["a cut word", "tru", '1:1: found "tru", expected a value'],
    ["text after the value", '{}\n{"a":1}', '2:1: found "{", expected the end of the text'],
    ["a comment", "[1] // one", '1:5: found "/", expected the end of the text\n  JSON has no comments'],
    ["a space that JSON does not allow", "[\u00a01]", "1:2: found U+00A0, expected a value"],
    ["a control character in a string", '"a\tb"', "1:3: found U+0009, expected its escape in the string"],
    ["an invalid escape", '"\\x"', '1:2: found "\\", expected an escape'],
    ["an escape cut short", '"\\u12"', '1:2: found "\\", expected an escape'],
    ["a byte order mark", "\uFEFF{}", "1:1: found a byte order mark"],
    ["a repeated name", '{"a":1,\n "a":1}', '2:2: repeats the member name "a", first on line 1'],
    ["a repeated name after much space", `{"a":1,"a"${" ".repeat(500)}:1}`, '1:8: repeats the member name "a"'],
    ["a repeated name in a different spelling", '{"a":1,"\\u0061":1}', '1:8: repeats the member name "\\u0061"'],
    ["a repeated name below", '[{"b":{"a":[{}],"a":1}}]', "1:17: repeats"],
    ["a repeated __proto__", '{"__proto__":1,"__proto__":1}', "1:16: repeats"],
    ["half a surrogate pair", '["\\ud83d"]', "1:2: found half a surrogate pair"],
    ["half a surrogate pair in a name", '{"\\ude00":1}', "1:2: found half a surrogate pair"],
    ["half a surrogate pair, not escaped", '["\ud83d"]', "1:3: found half a surrogate pair"],
    [
      "bytes that are not UTF-8",
      [0x22, 0xef, 0xbf, 0xbd, 0x0a, 0xff, 0x22],
      "2:1: found the byte 0xff, which is not UTF-8",
    ],
    ["UTF-16", [0xff, 0xfe, 0x7b, 0x00], "1:1: found the byte 0xff"],
    ["a cut character", [0x22, 0xe2, 0x82], "1:2: found the byte 0xe2"],
    [
      "more nesting than allowed",
      "[".repeat(depthLimit + 1),
      `1:${depthLimit + 1}: nested more than ${depthLimit} levels deep`,
    ],
    ["an open bracket for each byte", "[".repeat(1_000_000), "nested more than"],
  ])("refuses %s", (_, source, message) => {
    const input = typeof source === "string" ? source : Uint8Array.from(source);
    expect(() => readJson(input, "x.json")).toThrow(expect.objectContaining({ kind: "usage" }));
    expect(() => readJson(input, "x.json")).toThrow(message.startsWith("nested") ? message : `x.json:${message}`);
  });

  it.each([
    '{"a":{"a":1},"b":[{"a":1},{"a":1}]}',
    '{"a":"a","b":"a: a"}',
    '["a","a",true,false,null,-0.5e+10,1E2,0,1e999]',
    '{"\\ud83d\\ude00":"\\ud83d\\ude00"}',
    '{"a\\"":1,"a":2,"a\\\\":3,"":4,"\\/\\b\\f\\n\\r\\t\\u00e9":5}',
    ' {"a"\n:\t"{\\"a\\":1,\\"a\\":1}"} \r\n',
    "[ ]",
    "{ }",
    '"\uFEFF\u2028"',
  ])("reads %s as JSON.parse does", (text) => {
    expect(readJson(text, "x.json").value).toEqual(JSON.parse(text));
    expect(readJson(Buffer.from(text), "x.json").value).toEqual(JSON.parse(text));
  });

  it("reads nesting up to its default limit, and up to a given limit", () => {
    expect(readJson("[".repeat(depthLimit) + "]".repeat(depthLimit), "x.json").value).toHaveLength(1);
    expect(readJson("[[]]", "x.json", { depth: 2 }).value).toEqual([[]]);
    expect(() => readJson("[{}]", "x.json", { depth: 1 })).toThrow("x.json:1:2: nested more than 1 levels deep");
  });

  it("keeps __proto__ as an own member", () => {
    expect(Object.keys(readJson('{"__proto__":{"x":1}}', "x.json").value as object)).toEqual(["__proto__"]);
  });

  it("finds the start of a value, or of the nearest value above it", () => {
    const { locate } = readJson('{\n  "a/b": [1,\n    {"c~": "😀", "d": 2}],\n  "__proto__": 3\n}\n', "x.json");
    const places = ["", "/a~1b", "/a~1b/0", "/a~1b/1/c~0", "/a~1b/1/d", "/__proto__", "/a~1b/7/e", "/toString", "no"];
    expect(places.map((pointer) => Object.values(locate(pointer)).join(":"))).toEqual([
      "1:1",
      "2:10",
      "2:11",
      "3:12",
      "3:23",
      "4:16",
      "2:10",
      "1:1",
      "1:1",
    ]);
  });
});

it("reports a file of white space as empty", () => {
  expect(() => readJson(" \n", "a.json")).toThrow(/the file is empty/);
  expect(() => readJson('{"a":', "a.json")).toThrow(/complete the text/);
});

it.each(["", "\n", "a", "a\n\nb\r\nc\n", "\n\n"])(
  "placesIn and placeAt find the same place for an offset in %j",
  (text) => {
    const placeOf = placesIn(text);
    for (let offset = 0; offset <= text.length; offset += 1) expect(placeOf(offset)).toEqual(placeAt(text, offset));
  },
);
