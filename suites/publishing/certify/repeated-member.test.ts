import { expect, it } from "vitest";
import { findRepeatedMember } from "./repeated-member.ts";

it.each([
  ['{"a":1,"a":1}', "a"],
  ['{"a":1,"b":{"a":2,"\\u0061" : 3}}', "a"],
  ['{"line":"header"}\n{"b":[{"c":1},{"c":2}],"b":2}\n', "b"],
  ['{"":1,"":2}', ""],
  ['{"a\\"b":1,"a\\"b":2}', 'a"b'],
  ['{"__proto__":1,"__proto__":2}', "__proto__"],
])("finds a repeated name in one object: %s", (text, name) => {
  expect(findRepeatedMember(text)).toBe(name);
});

it.each([
  '{"a":{"a":1},"b":[{"a":1},{"a":1}]}',
  '{"a":"\\"a\\":1,{\\"a\\":","b":"{"}',
  '{"a":1}\n{"a":2}\n',
  '["a","a"]',
])("ignores the same name in different objects, or within a string: %s", (text) => {
  expect(findRepeatedMember(text)).toBeUndefined();
});
