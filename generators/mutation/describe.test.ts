import { describe, expect, it } from "vitest";
import { nameOf, sentenceOf } from "./describe.ts";

const says = "maxItems is 11 instead of 10";

describe("a vector that kills a mutant", () => {
  it("is named after the description of the mutant", () => {
    expect(nameOf({ says })).toBe("maxItems-is-11-instead-of-10");
    expect(nameOf({ says: "one more is needed for {1,8} after [a-zA-Z]" })).toBe(
      "one-more-is-needed-for-1-8-after-a-zA-Z",
    );
    expect(nameOf({ says: ". is missing from [a.-]" })).toBe("dot-is-missing-from-a");
    expect(nameOf({ says: 'note may be "", as if it were absent' })).toBe(
      "note-may-be-empty-text-as-if-it-were-absent",
    );
    expect(nameOf({ says: `${"word ".repeat(30)}` }).length).toBeLessThanOrEqual(60);
    expect(nameOf({ says: "constructor is missing when it is 0" })).toBe("constructor-is-missing-when-it-is-0");
    expect(nameOf({ says: '"😀"' })).toBe("other");
  });

  it.each([
    ["/options", { options: Array(11).fill("a".repeat(9)) }, [], "`options` has 11 entries"],
    ["/a/b", { a: { b: null } }, [], "`a.b` is null"],
    ["/a", { a: "x".repeat(60) }, [], '`a` has 60 characters, beginning with "xxxxxxxxxxxxxxxxxxxx"'],
    ["/a", {}, [], "`a` is missing"],
    [
      "",
      { a: 1 },
      [
        { op: "replace" as const, path: "/a", value: 1 },
        { op: "remove" as const, path: "/b" },
      ],
      "`a` is 1 and `b` is missing",
    ],
  ])("describes the value at %s, and the mistake that accepts it", (at, data, change, description) => {
    const sentence = sentenceOf({ says }, { valid: false, at, data, change });
    expect(sentence).toBe(`${description}; wrongly accepted if ${says}`);
    expect(sentenceOf({ says }, { valid: true, at, data, change })).toContain("; wrongly refused if ");
  });

  it("describes only the first few of many changes", () => {
    const change = ["a", "b", "c", "d", "e"].map((name) => ({ op: "remove" as const, path: `/${name}` }));
    expect(sentenceOf({ says }, { valid: true, at: "", data: {}, change })).toMatch(
      /^`a` is missing, `b` is missing and 3 more differ;/,
    );
  });
});

it.each([
  ["true is accepted as 1, and false as 0", "true-is-taken-for-1-and-false-for-0"],
  ["an empty string is accepted as an absent value", "an-empty-text-is-taken-for-nothing"],
  ["only the first 2 items are checked, in `a` alone", "no-more-than-2-items-are-looked-at-in-a-alone"],
  ["of three names, all but the last are checked", "of-three-all-but-the-last-name-is-looked-at"],
  ["member names: \\d matches any character", "of-names-anything-matches-d"],
  ['the format check misses "no seconds"', "no-seconds-is-let-through"],
])("keeps the published name of the mutant %j", (says, name) => {
  expect(nameOf({ says })).toBe(name);
});
