import { describe, expect, it } from "vitest";
import type { Report, Result } from "../../../schemas/index.ts";
import { hostile, reportOf, result, rules, violatedResult } from "../../results/sample.fixture.ts";
import { compare } from "./comparison.ts";
import { describeDifference } from "./difference.ts";

const conforming = (id: string): Result => result({ id, rule: "S-1" });
const knownFailure = (id: string): Result => violatedResult(id, { known: "failing" });
const skippedResult = (id: string): Result => result({ id, outcome: "skipped", why: "no claim" });
const ids = (pairs: { id: string }[]): string[] => pairs.map(({ id }) => id);

describe("the difference of two reports", () => {
  const beforeReport = reportOf([
    conforming("fell"),
    violatedResult("rose"),
    violatedResult("stays"),
    conforming("lost"),
    skippedResult("found"),
    conforming("gone"),
  ]);
  const nowReport = reportOf([
    violatedResult("fell"),
    conforming("rose"),
    result({ id: "stays", outcome: "errored", stage: "read", why: "HTTP 500" }),
    skippedResult("lost"),
    conforming("found"),
    conforming("new"),
    violatedResult("new and bad"),
  ]);
  const difference = compare(beforeReport, nowReport);

  it("sorts the results by the kind of change", () => {
    expect(ids(difference.failing)).toEqual(["fell", "new and bad"]);
    expect(ids(difference.fixed)).toEqual(["rose"]);
    expect(ids(difference.still)).toEqual(["stays"]);
    expect(ids(difference.lost)).toEqual(["lost"]);
    expect(ids(difference.changed)).toEqual(["found"]);
    expect(ids(difference.added)).toEqual(["new", "new and bad"]);
    expect(ids(difference.removed)).toEqual(["gone"]);
    expect(difference.exitCode).toBe(1);
  });

  it("is worse if a rule or a scenario is gone, but not if only a vector is gone", () => {
    const story = "sample/1.0/scenarios/story/S-1";
    const scenarioResult = result({ id: story, rule: "S-1" });
    const replacement = result({ id: "b", rule: "S-2" });
    const findGone = (earlier: Result[], later: Result[]): unknown => {
      const difference = compare(reportOf(earlier), reportOf(later));
      return [difference.exitCode, ...ids(difference.gone)];
    };
    expect(findGone([conforming("a"), replacement], [conforming("a")])).toEqual([1, "b"]);
    expect(findGone([conforming("a"), scenarioResult], [conforming("a")])).toEqual([1, story]);
    expect(findGone([conforming("a"), conforming("b")], [conforming("a")])).toEqual([0]);
    expect(findGone([conforming("a"), { ...replacement, outcome: "skipped" }], [conforming("a")])).toEqual([0]);
    const description = describeDifference(
      compare(reportOf([conforming("a"), replacement]), reportOf([conforming("a")])),
      rules,
    );
    expect(description).toMatch(/^Not shown to be the same or better: .*, 1 gone with their rule or scenario\./);
    expect(description).toContain("1 vector are gone, and nothing else judges");
  });

  it("lists the results by rule, and limits how many", () => {
    expect(describeDifference(difference, rules)).toMatch(
      /^Worse: 2 vectors newly failing, 1 fixed, 1 no longer judged\.\n\n2 vectors fail now and did not before\n {2}S-1 MUST A title has at least one character\.\n {4}fell: conforms, now violates: accepted/,
    );
    const manyFailures = Array.from({ length: 36 }, (_, index) =>
      violatedResult(`v${index}`, { rule: `R-${index % 12}` }),
    );
    const description = describeDifference(compare(reportOf([]), reportOf(manyFailures)), rules);
    expect(description.match(/^ {2}R-\d+\n( {4}v\d+: violates.*\n){2} {4}and 1 more$/gm)).toHaveLength(10);
    expect(description).toContain("\n  and 2 more rules; --json has all\n");
  });

  it.each<[string, Report, Report, number]>([
    ["the same", beforeReport, beforeReport, 0],
    ["better", reportOf([violatedResult("a")]), reportOf([conforming("a")]), 0],
    [
      "one warning more",
      reportOf([conforming("a")]),
      reportOf([violatedResult("a", { outcome: "warns", level: "SHOULD" })]),
      0,
    ],
    [
      "a failure that the baseline lists",
      reportOf([conforming("a")]),
      reportOf([violatedResult("a", { known: "failing" })]),
      0,
    ],
    ["one failure more", reportOf([conforming("a")]), reportOf([violatedResult("a")]), 1],
    [
      "one warning more with --fail-on should",
      reportOf([conforming("a")]),
      { ...reportOf([violatedResult("a", { outcome: "warns", level: "SHOULD" })]), failOn: "should" },
      1,
    ],
    ["a failure that the baseline no longer lists", reportOf([knownFailure("a")]), reportOf([violatedResult("a")]), 0],
    ["one known failure fewer", reportOf([knownFailure("a")]), reportOf([conforming("a")]), 0],
    ["no common result", reportOf([conforming("a")]), reportOf([conforming("b")]), 2],
    ["no results at all", reportOf([]), reportOf([]), 2],
    ["one verdict fewer", reportOf([conforming("a")]), reportOf([skippedResult("a")]), 1],
    ["an unfinished run", reportOf([conforming("a")]), reportOf([conforming("a")], { complete: false }), 3],
  ])("has the expected exit code for %s", (_, earlierReport, laterReport, code) => {
    expect(compare(earlierReport, laterReport).exitCode).toBe(code);
  });

  it("leaves out changes that are due only to the baseline", () => {
    const unlistedReport = reportOf([violatedResult("a"), violatedResult("b"), conforming("c")]);
    const listedReport = reportOf([knownFailure("a"), knownFailure("b"), knownFailure("c")]);
    const newListing = compare(unlistedReport, listedReport);
    expect(newListing).toMatchObject({ failing: [], fixed: [], still: [], changed: [], exitCode: 0 });
    expect(newListing.listed).toMatchObject([{ id: "a", known: "failing" }, { id: "b" }, { id: "c" }]);
    expect(describeDifference(newListing, rules)).toMatch(
      /^[^\n]+: 0 vectors newly failing, 0 fixed, 3 newly listed\.\n/,
    );
    const removedListing = compare(listedReport, unlistedReport);
    expect(removedListing).toMatchObject({
      failing: [],
      fixed: [{ id: "c" }],
      still: [{ id: "a" }, { id: "b" }],
      listed: [],
    });
    expect(ids(compare(listedReport, reportOf([conforming("a"), knownFailure("b"), conforming("c")])).fixed)).toEqual([
      "a",
      "c",
    ]);
  });

  describe("of partial reports", () => {
    const oldReport = reportOf([conforming("a"), conforming("b"), violatedResult("c")]);
    const partialReport = (
      more: Partial<Report["runs"][number]>,
      whole: Partial<Report> = {},
      results = [conforming("a")],
    ): Report => {
      const report = reportOf(results, whole);
      return { ...report, runs: report.runs.map((run) => ({ ...run, ...more })) };
    };

    it.each<[string, Report, string, number]>([
      ["a shard", partialReport({ shard: { index: 1, count: 3 } }), "shard 1/3 was run", 1],
      ["a filter", partialReport({ filter: { only: ["a"], skip: [] } }), "only a was run", 1],
      ["an interruption", partialReport({}, { complete: false }), "the run did not finish", 3],
      ["a different protocol", partialReport({ version: "2.0" }), "sample 1.0 was not run", 1],
    ])("reports the results that are missing because of %s", (_, now, why, code) => {
      const difference = compare(oldReport, now);
      expect(difference).toMatchObject({ failing: [], fixed: [], removed: [], common: 1, exitCode: code });
      expect(difference.unseen).toMatchObject([
        { id: "b", before: "conforms", why },
        { id: "c", why },
      ]);
      const description = describeDifference(difference, rules);
      expect(description).toContain(`2 vectors are not shown\n  ${why}: 2\n`);
      expect(description).toMatch(
        /^Not shown to be the same or better: 0 vectors newly failing, 0 fixed, 2 not shown\.\n/,
      );
    });

    it("is the same or better if the missing results were skipped before, or are not in the old report either", () => {
      const now = partialReport({ shard: { index: 1, count: 3 } });
      expect(compare(reportOf([conforming("a"), skippedResult("b")]), now)).toMatchObject({
        unseen: [{ id: "b" }],
        exitCode: 0,
      });
      expect(compare(reportOf([conforming("a")]), now)).toMatchObject({ unseen: [], exitCode: 0 });
    });
  });

  it("counts a result that conformed and now warns as a new warning, not as a failure", () => {
    const difference = compare(
      reportOf([conforming("a"), conforming("b")]),
      reportOf([violatedResult("a", { outcome: "warns" }), conforming("b")]),
    );
    expect(difference.exitCode).toBe(0);
    expect(describeDifference(difference, rules)).toMatch(
      /^No new failure: 0 vectors newly failing, 0 fixed, 1 new warning\.\n/,
    );
  });

  it("calls scenarios scenarios, and counts each once for all its rules", () => {
    const scenarioResult = (rule: string, more: Partial<Result>): Result =>
      violatedResult(`sample/1.0/scenarios/twice/${rule}`, { kind: "scenario", rule, ...more });
    const passed = reportOf(["S-1", "S-2"].map((rule) => scenarioResult(rule, { outcome: "conforms" })));
    const failed = reportOf(["S-1", "S-2"].map((rule) => scenarioResult(rule, {})));
    expect(describeDifference(compare(passed, failed), rules)).toMatch(
      /^Worse: 1 scenario newly failing, 0 fixed\.\n\n1 scenario fail now and did not before\n/,
    );
    expect(describeDifference(compare(failed, passed), rules)).toMatch(/: 0 scenarios newly failing, 1 fixed\.\n/);
    const unrelated = reportOf([conforming("a")]);
    expect(describeDifference(compare(passed, unrelated), rules)).toContain("no scenario and no vector is in both");
  });

  it("names the protocols that have different vectors", () => {
    const otherVectors = {
      ...nowReport,
      runs: nowReport.runs.map((run) => ({ ...run, set: { digest: "sha256-y", count: 7 } })),
    };
    expect(compare(beforeReport, otherVectors).sets).toEqual(["sample 1.0"]);
    expect(describeDifference(compare(beforeReport, otherVectors), rules)).toContain("vectors of sample 1.0 differ");
  });

  it("escapes control characters", () => {
    const difference = compare(reportOf([]), reportOf([violatedResult(hostile, { why: hostile, rule: hostile })]));
    expect(describeDifference(difference, rules)).not.toMatch(/[\u001b\u202e]/);
  });
});
