import { expect, it } from "vitest";
import { ecmaSource } from "./regex-flavours.ts";

it.each<[source: string, converted: string, matching: string[], notMatching: string[]]>([
  ["\\A[a-z]+\\Z", "^[a-z]+$", ["abc"], ["AaZ", "abc1"]],
  ["\\A[\\w-.]+\\z", "^[\\w\\u{2D}.]+$", ["a-."], ["+"]],
  ["(?i)^[a-z]{3}$", "^[a-zA-Z]{3}$", ["aBc"], ["ab", "ab1"]],
  ["^(?i)(yes|no)$", "^([yY][eE][sS]|[nN][oO])$", ["yes", "No"], ["y"]],
  ["(?i)^[^a-c_\\d]+x\\.$", "^[^a-cA-C_\\d]+[xX]\\.$", ["dX."], ["Ax.", "dxx"]],
  ["^(?P<year>\\d{4})-(?P=year)$", "^(?<year>\\d{4})-\\k<year>$", ["2020-2020"], ["2020-2021"]],
  ["(?i)^(?P<word>ab)$", "^(?<word>[aA][bB])$", ["aB"], ["a"]],
])("converts %s from other flavours to %s", (source, converted, matching, notMatching) => {
  expect(ecmaSource(source)).toBe(converted);
  const regExp = new RegExp(converted, "u");
  expect([matching, notMatching].map((texts) => texts.map((text) => regExp.test(text)))).toEqual([
    matching.map(() => true),
    notMatching.map(() => false),
  ]);
});

it("knows the letters that some languages treat as other cases of s and k", () => {
  expect(ecmaSource("(?i)^s[i-l]x[^k]$", true)).toBe("^[sS\u017f][i-lI-L\u212a][xX][^kK\u212a]$");
  expect(ecmaSource("(?i)^[a-z]$", true)).toBe("^[a-zA-Z\u017f\u212a]$");
});

it("returns undefined for patterns that it cannot or need not convert", () => {
  for (const source of ["^a$", "a\\-b", "[\\w-.]", "(?>a)", "a++", "(?i)^ä$", "(?i)[!-Z]", "(?i)\\p{L}", "(?i)("])
    expect([source, ecmaSource(source)]).toEqual([source, undefined]);
});
