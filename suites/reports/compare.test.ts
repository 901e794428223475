import { describe, expect, it } from "vitest";
import type { Report, Result } from "../../schemas/index.ts";
import { compare } from "./compare.ts";
import { differenceInWords } from "./difference.ts";
import { hostile, reportOf, result, rules, violated } from "./sample.fixture.ts";

const good = (id: string): Result => result({ id, rule: "S-1" });
const skipped = (id: string): Result => result({ id, outcome: "skipped", why: "no claim" });
const ids = (pairs: { id: string }[]): string[] => pairs.map(({ id }) => id);

describe("what is new in a report", () => {
  const before = reportOf([
    good("fell"),
    violated("rose"),
    violated("stays"),
    good("lost"),
    skipped("found"),
    good("gone"),
  ]);
  const now = reportOf([
    violated("fell"),
    good("rose"),
    result({ id: "stays", outcome: "errored", stage: "read", why: "HTTP 500" }),
    skipped("lost"),
    good("found"),
    good("new"),
    violated("new and bad"),
  ]);
  const difference = compare(before, now);

  it("is sorted by what it means", () => {
    expect(ids(difference.failing)).toEqual(["fell", "new and bad"]);
    expect(ids(difference.fixed)).toEqual(["rose"]);
    expect(ids(difference.still)).toEqual(["stays"]);
    expect(ids(difference.lost)).toEqual(["lost"]);
    expect(ids(difference.changed)).toEqual(["found"]);
    expect(ids(difference.added)).toEqual(["new", "new and bad"]);
    expect(ids(difference.removed)).toEqual(["gone"]);
    expect(difference.exitCode).toBe(1);
  });

  it("is told by rule", () => {
    expect(differenceInWords(difference, rules)).toMatch(
      /^2 vectors fail and did not before\n {2}S-1 MUST A title has at least one character\.\n {4}fell: conforms, now violates: accepted/,
    );
    expect(differenceInWords(difference, rules)).toMatch(
      /Worse: 2 vectors newly failing, 1 fixed, 1 no longer judged\.\n$/,
    );
  });

  it.each<[string, Report, Report, number]>([
    ["the same", before, before, 0],
    ["better", reportOf([violated("a")]), reportOf([good("a")]), 0],
    ["a warning more", reportOf([good("a")]), reportOf([violated("a", { outcome: "warns", level: "SHOULD" })]), 0],
    ["a failure that the baseline knows", reportOf([good("a")]), reportOf([violated("a", { known: "failing" })]), 0],
    ["a failure more", reportOf([good("a")]), reportOf([violated("a")]), 1],
    [
      "a warning more where advice fails",
      reportOf([good("a")]),
      { ...reportOf([violated("a", { outcome: "warns", level: "SHOULD" })]), failOn: "should" },
      1,
    ],
    ["a verdict less", reportOf([good("a")]), reportOf([skipped("a")]), 1],
    ["an end that was not reached", reportOf([good("a")]), reportOf([good("a")], { complete: false }), 3],
  ])("ends %s with its code", (_, old, recent, code) => {
    expect(compare(old, recent).exitCode).toBe(code);
  });

  it("names the protocols whose vectors are others", () => {
    const other = { ...now, runs: now.runs.map((run) => ({ ...run, set: { digest: "sha256-y", count: 7 } })) };
    expect(compare(before, other).sets).toEqual(["sample 1.0"]);
    expect(differenceInWords(compare(before, other), rules)).toContain("vectors of sample 1.0 are not the same");
  });

  it("does nothing to a terminal", () => {
    const wild = compare(reportOf([]), reportOf([violated(hostile, { why: hostile, rule: hostile })]));
    expect(differenceInWords(wild, rules)).not.toMatch(/[\u001b\u202e]/);
  });
});
