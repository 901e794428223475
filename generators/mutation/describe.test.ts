import { describe, expect, it } from "vitest";
import { nameOf, sentenceOf } from "./describe.ts";

const says = "maxItems is 11 instead of 10";

describe("a vector that kills a mutant", () => {
  it("is named by the words of what the mutant is", () => {
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
    ["/a", { a: "x".repeat(60) }, [], '`a` has 60 characters, which begin with "xxxxxxxxxxxxxxxxxxxx"'],
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
  ])("says what is at %s, and by which mistake it is accepted", (at, data, change, what) => {
    const sentence = sentenceOf({ says }, { valid: false, at, data, change });
    expect(sentence).toBe(`${what}; wrongly accepted where ${says}`);
    expect(sentenceOf({ says }, { valid: true, at, data, change })).toContain("; wrongly refused where ");
  });

  it("says no more than a few of many changes", () => {
    const change = ["a", "b", "c", "d", "e"].map((name) => ({ op: "remove" as const, path: `/${name}` }));
    expect(sentenceOf({ says }, { valid: true, at: "", data: {}, change })).toMatch(
      /^`a` is missing, `b` is missing and 3 more differ;/,
    );
  });
});

it("names a mutant in ids as it is published, where it is worded otherwise", () => {
  expect(nameOf({ says: "only the type is checked", named: "no more than the type" })).toBe("no-more-than-the-type");
});
