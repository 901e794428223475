import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { conditionHolds, type TestGap } from "./evaluate.ts";

const holds = (args_match: JsonObject, args: Json, gap: TestGap = "none") =>
  conditionHolds({ condition: { args_match } }, "/condition", args, gap);

describe("conditionHolds", () => {
  it.each([
    [{ a: 1, b: { gt: 5 } }, { a: 2 }, false, false],
    [{ a: 1, b: { gt: 5 } }, { a: 1 }, undefined, false],
    [{ a: { gt: 5, ne: 1 } }, {}, undefined, false],
    [{ a: { ne: 5, not_in: [1] } }, {}, undefined, true],
    [{ a: {} }, { a: 1 }, undefined, undefined],
    [{ a: { eq: 1 } }, { a: 1 }, undefined, undefined],
    [{ a: { gt: "1" } }, { a: 2 }, undefined, undefined],
    [{ a: { in: [] } }, { a: 1 }, false, false],
    [{ a: { not_in: [] } }, { a: 1 }, true, true],
    [{ a: null }, { a: null }, true, true],
    [{ a: { ne: "x" } }, { a: { b: 1 } }, undefined, true],
    [{ a: { in: ["x"] } }, { a: ["x"] }, undefined, false],
    [{ a: 50 }, { a: "50" }, false, false],
    [{ toString: "x" }, {}, undefined, false],
  ] as [JsonObject, Json, boolean | undefined, boolean | undefined][])(
    "evaluates %j for %j to %s, and to %s if gaps are decided as advised",
    (tests, args, expected, advised) => {
      expect(holds(tests, args)).toBe(expected);
      expect(holds(tests, args, "advised")).toBe(advised);
    },
  );

  it('does not decide a literal of another type if the gap is "unasked"', () => {
    expect(holds({ a: 50 }, { a: "50" }, "unasked")).toBeUndefined();
    expect(holds({ a: 50 }, { a: 51 }, "unasked")).toBe(false);
    expect(holds({ a: 50 }, { a: 50 }, "unasked")).toBe(true);
  });

  it("returns true if one group holds and another is undecided", () => {
    const condition = [{ args_match: { a: { gt: 1 } } }, { args_match: { b: true } }];
    expect(conditionHolds({ condition }, "/condition", { b: true }, "none")).toBe(true);
    expect(conditionHolds({ condition }, "/condition", { b: false }, "none")).toBeUndefined();
    expect(conditionHolds({ condition: [] }, "/condition", {}, "none")).toBeUndefined();
  });

  it.each([
    ["^a+$", "aa", true],
    ["^a+$", "ab", false],
    ["a", "a", true],
    ["a", "b", false],
    // A search matches and a full match does not. The specification does not say which is meant.
    ["a", "ab", undefined],
    ["^a|b$", "ac", undefined],
    ["^.$", "é", undefined],
    ["(", "(", undefined],
    ["^(a+)+$", `${"a".repeat(60)}!`, undefined],
    ["^a*$", "a".repeat(2000), undefined],
  ])("matches the pattern %s against %j: %s", (pattern, text, verdict) => {
    expect(holds({ a: { pattern } }, { a: text })).toBe(verdict);
    expect(holds({ a: { pattern } }, { a: text }, "advised")).toBe(verdict);
  });
});
