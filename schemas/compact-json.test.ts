import { expect, it } from "vitest";
import { compact } from "./compact-json.ts";

it("returns the value of a text without white space", () => {
  for (const text of ['{"a":[1,"é\\n",null,{}],"__proto__":1}', "[]", "0.1", "null"])
    expect(JSON.stringify(compact(text, 100))).toBe(text);
});

it("returns undefined for every other text", () => {
  const texts = [
    '{"a":1,"a":1}',
    '{"a": 1}',
    "\uFEFF[]",
    '["\\ud800"]',
    "[-0]",
    "[1e400]",
    "[1.0]",
    '{"b":1,"1":1}',
    "[",
    "",
  ];
  for (const text of texts) expect(compact(text, 10)).toBeUndefined();
  expect(compact("[".repeat(11) + "]".repeat(11), 10)).toBeUndefined();
});
