import { expect, it } from "vitest";
import { unicodeSource } from "./unicode.ts";

it("leaves legal patterns unchanged", () => {
  for (const source of ["^[a-z]+$", "\\p{L}", "\\/", "[\\-]"]) expect(unicodeSource(source)).toBe(source);
});

it.each<[source: string, matching: string[], notMatching: string[]]>([
  ["^a\\-b$", ["a-b"], ["a\\-b"]],
  ['^\\_\\@\\:\\"$', ['_@:"'], ["_@:"]],
  ["^[\\w-.]+$", ["a-.", "_"], ["+", "/"]],
  ["^[.-\\w]+$", ["a-."], ["/"]],
  ["^{{[a-z]+}}$", ["{{a}}"], ["{a}", "a"]],
  ["^a]$", ["a]"], ["a"]],
  ["^\\Za$", ["Za"], ["a"]],
  ["^a{,3}$", ["a{,3}"], ["aaa"]],
])("rewrites %s with the same meaning", (source, matching, notMatching) => {
  const spelled = unicodeSource(source) as string;
  expect(spelled).not.toBe(source);
  const [plain, unicode] = [new RegExp(source), new RegExp(spelled, "u")];
  for (const text of matching) expect([text, plain.test(text), unicode.test(text)]).toEqual([text, true, true]);
  for (const text of notMatching) expect([text, plain.test(text), unicode.test(text)]).toEqual([text, false, false]);
});

it("returns undefined for a string that is not a regular expression", () => {
  for (const source of ["(", "(?P<a>b)", "[b-a]", "*"]) expect(unicodeSource(source)).toBeUndefined();
});
