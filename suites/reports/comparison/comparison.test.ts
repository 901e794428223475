import { describe, expect, it } from "vitest";
import type { Report, Result } from "../../../schemas/index.ts";
import { hostile, reportOf, result, rules, violatedResult } from "../../results/sample.fixture.ts";
import { compare } from "./comparison.ts";
import { describeDifference } from "./difference.ts";

const good = (id: string): Result => result({ id, rule: "S-1" });
const known = (id: string): Result => violatedResult(id, { known: "failing" });
const skipped = (id: string): Result => result({ id, outcome: "skipped", why: "no claim" });
const ids = (pairs: { id: string }[]): string[] => pairs.map(({ id }) => id);

describe("the difference of two reports", () => {
  const before = reportOf([
    good("fell"),
    violatedResult("rose"),
    violatedResult("stays"),
    good("lost"),
    skipped("found"),
    good("gone"),
  ]);
  const now = reportOf([
    violatedResult("fell"),
    good("rose"),
    result({ id: "stays", outcome: "errored", stage: "read", why: "HTTP 500" }),
    skipped("lost"),
    good("found"),
    good("new"),
    violatedResult("new and bad"),
  ]);
  const difference = compare(before, now);

  it("is sorted by its meaning", () => {
    expect(ids(difference.failing)).toEqual(["fell", "new and bad"]);
    expect(ids(difference.fixed)).toEqual(["rose"]);
    expect(ids(difference.still)).toEqual(["stays"]);
    expect(ids(difference.lost)).toEqual(["lost"]);
    expect(ids(difference.changed)).toEqual(["found"]);
    expect(ids(difference.added)).toEqual(["new", "new and bad"]);
    expect(ids(difference.removed)).toEqual(["gone"]);
    expect(difference.exitCode).toBe(1);
  });

  it("is worse without a rule or a scenario, but not without a single vector", () => {
    const story = "sample/1.0/scenarios/story/S-1";
    const played = result({ id: story, rule: "S-1" });
    const other = result({ id: "b", rule: "S-2" });
    const gone = (earlier: Result[], later: Result[]): unknown => {
      const found = compare(reportOf(earlier), reportOf(later));
      return [found.exitCode, ...ids(found.gone)];
    };
    expect(gone([good("a"), other], [good("a")])).toEqual([1, "b"]);
    expect(gone([good("a"), played], [good("a")])).toEqual([1, story]);
    expect(gone([good("a"), good("b")], [good("a")])).toEqual([0]);
    expect(gone([good("a"), { ...other, outcome: "skipped" }], [good("a")])).toEqual([0]);
    const words = describeDifference(compare(reportOf([good("a"), other]), reportOf([good("a")])), rules);
    expect(words).toMatch(/^Not shown to be the same or better: .*, 1 gone with their rule or scenario\./);
    expect(words).toContain("1 vector are gone, and nothing else judges");
  });

  it("is shown by rule", () => {
    expect(describeDifference(difference, rules)).toMatch(
      /^Worse: 2 vectors newly failing, 1 fixed, 1 no longer judged\.\n\n2 vectors fail now and did not before\n {2}S-1 MUST A title has at least one character\.\n {4}fell: conforms, now violates: accepted/,
    );
    const many = Array.from({ length: 36 }, (_, index) => violatedResult(`v${index}`, { rule: `R-${index % 12}` }));
    const words = describeDifference(compare(reportOf([]), reportOf(many)), rules);
    expect(words.match(/^ {2}R-\d+\n( {4}v\d+: violates.*\n){2} {4}and 1 more$/gm)).toHaveLength(10);
    expect(words).toContain("\n  and 2 more rules; --json has all\n");
  });

  it.each<[string, Report, Report, number]>([
    ["the same", before, before, 0],
    ["better", reportOf([violatedResult("a")]), reportOf([good("a")]), 0],
    [
      "a warning more",
      reportOf([good("a")]),
      reportOf([violatedResult("a", { outcome: "warns", level: "SHOULD" })]),
      0,
    ],
    [
      "a failure that the baseline knows",
      reportOf([good("a")]),
      reportOf([violatedResult("a", { known: "failing" })]),
      0,
    ],
    ["a failure more", reportOf([good("a")]), reportOf([violatedResult("a")]), 1],
    [
      "a warning more where advice fails",
      reportOf([good("a")]),
      { ...reportOf([violatedResult("a", { outcome: "warns", level: "SHOULD" })]), failOn: "should" },
      1,
    ],
    ["a failure that the baseline no longer lists", reportOf([known("a")]), reportOf([violatedResult("a")]), 0],
    ["a known failure less", reportOf([known("a")]), reportOf([good("a")]), 0],
    ["nothing in both", reportOf([good("a")]), reportOf([good("b")]), 2],
    ["nothing at all", reportOf([]), reportOf([]), 2],
    ["a verdict less", reportOf([good("a")]), reportOf([skipped("a")]), 1],
    ["an end that was not reached", reportOf([good("a")]), reportOf([good("a")], { complete: false }), 3],
  ])("ends %s with its code", (_, old, recent, code) => {
    expect(compare(old, recent).exitCode).toBe(code);
  });

  it("leaves out changes that only the baseline explains", () => {
    const bare = reportOf([violatedResult("a"), violatedResult("b"), good("c")]);
    const gated = reportOf([known("a"), known("b"), known("c")]);
    const listing = compare(bare, gated);
    expect(listing).toMatchObject({ failing: [], fixed: [], still: [], changed: [], exitCode: 0 });
    expect(listing.listed).toMatchObject([{ id: "a", known: "failing" }, { id: "b" }, { id: "c" }]);
    expect(describeDifference(listing, rules)).toMatch(/^[^\n]+: 0 vectors newly failing, 0 fixed, 3 newly listed\.\n/);
    const unlisting = compare(gated, bare);
    expect(unlisting).toMatchObject({
      failing: [],
      fixed: [{ id: "c" }],
      still: [{ id: "a" }, { id: "b" }],
      listed: [],
    });
    expect(ids(compare(gated, reportOf([good("a"), known("b"), good("c")])).fixed)).toEqual(["a", "c"]);
  });

  describe("of partial reports", () => {
    const old = reportOf([good("a"), good("b"), violatedResult("c")]);
    const part = (
      more: Partial<Report["runs"][number]>,
      whole: Partial<Report> = {},
      results = [good("a")],
    ): Report => {
      const report = reportOf(results, whole);
      return { ...report, runs: report.runs.map((run) => ({ ...run, ...more })) };
    };

    it.each<[string, Report, string, number]>([
      ["a shard", part({ shard: { index: 1, count: 3 } }), "shard 1/3 was run", 1],
      ["a filter", part({ filter: { only: ["a"], skip: [] } }), "only a was run", 1],
      ["an interruption", part({}, { complete: false }), "the run did not finish", 3],
      ["another protocol", part({ version: "2.0" }), "sample 1.0 was not run", 1],
    ])("describes the other changes by %s", (_, now, why, code) => {
      const difference = compare(old, now);
      expect(difference).toMatchObject({ failing: [], fixed: [], removed: [], common: 1, exitCode: code });
      expect(difference.unseen).toMatchObject([
        { id: "b", before: "conforms", why },
        { id: "c", why },
      ]);
      const words = describeDifference(difference, rules);
      expect(words).toContain(`2 vectors are not shown\n  ${why}: 2\n`);
      expect(words).toMatch(/^Not shown to be the same or better: 0 vectors newly failing, 0 fixed, 2 not shown\.\n/);
    });

    it("is the same or better if the rest was never tested, or is not in the old report either", () => {
      const now = part({ shard: { index: 1, count: 3 } });
      expect(compare(reportOf([good("a"), skipped("b")]), now)).toMatchObject({ unseen: [{ id: "b" }], exitCode: 0 });
      expect(compare(reportOf([good("a")]), now)).toMatchObject({ unseen: [], exitCode: 0 });
    });
  });

  it("is neither another failure nor the same if a conforming result now gets a warning", () => {
    const warned = compare(
      reportOf([good("a"), good("b")]),
      reportOf([violatedResult("a", { outcome: "warns" }), good("b")]),
    );
    expect(warned.exitCode).toBe(0);
    expect(describeDifference(warned, rules)).toMatch(
      /^No new failure: 0 vectors newly failing, 0 fixed, 1 new warning\.\n/,
    );
  });

  it("calls scenarios by that name, each once for all of its rules", () => {
    const played = (rule: string, more: Partial<Result>): Result =>
      violatedResult(`sample/1.0/scenarios/twice/${rule}`, { kind: "scenario", rule, ...more });
    const passed = reportOf(["S-1", "S-2"].map((rule) => played(rule, { outcome: "conforms" })));
    const failed = reportOf(["S-1", "S-2"].map((rule) => played(rule, {})));
    expect(describeDifference(compare(passed, failed), rules)).toMatch(
      /^Worse: 1 scenario newly failing, 0 fixed\.\n\n1 scenario fail now and did not before\n/,
    );
    expect(describeDifference(compare(failed, passed), rules)).toMatch(/: 0 scenarios newly failing, 1 fixed\.\n/);
    const other = reportOf([good("a")]);
    expect(describeDifference(compare(passed, other), rules)).toContain("no scenario and no vector is in both");
  });

  it("names the protocols that have different vectors", () => {
    const other = { ...now, runs: now.runs.map((run) => ({ ...run, set: { digest: "sha256-y", count: 7 } })) };
    expect(compare(before, other).sets).toEqual(["sample 1.0"]);
    expect(describeDifference(compare(before, other), rules)).toContain("vectors of sample 1.0 differ");
  });

  it("has no effect on a terminal", () => {
    const wild = compare(reportOf([]), reportOf([violatedResult(hostile, { why: hostile, rule: hostile })]));
    expect(describeDifference(wild, rules)).not.toMatch(/[\u001b\u202e]/);
  });
});
