import { describe, expect, it } from "vitest";
import {
  type Baseline,
  type BaselineEntry,
  byAnswers,
  count,
  type Report,
  type Result,
  type Rule,
  type Run,
  sum,
} from "../../../schemas/index.ts";
import { terminal } from "../../reports/terminal.ts";
import { reportOf, result, rules, violatedResult } from "../sample.fixture.ts";
import { judgedResults, recordName } from "./coverage-record.ts";
import { applyBaseline } from "./gate.ts";
import { updateList } from "./update.ts";

const note = "sample/1.0/note";
const passingResult = result({ id: `${note}/valid/a` });
const failingResult = violatedResult(`${note}/invalid/title/too-short`);
const lateResult = result({ id: `${note}/valid/slow`, outcome: "timed-out", stage: "answer", why: "no answer" });
const advice = violatedResult(`${note}/invalid/advice`, { level: "SHOULD", outcome: "warns", rule: "S-2" });

function entry(more: Partial<BaselineEntry>): BaselineEntry {
  return { outcome: "violates", reason: "until 2.0", ...more };
}

function listOf(...entries: BaselineEntry[]): Baseline {
  return { $schema: "", sets: { sample: "sha256-x" }, entries };
}

/** A list with the record of a report's coverage. */
function recordCoverage(list: Baseline, report: Report): Baseline {
  return {
    ...list,
    judged: Object.fromEntries(report.runs.map((run) => [recordName(run, report), judgedResults(run)])),
  };
}

function gateResults(results: Result[], entries: BaselineEntry[], more: Partial<Report> = {}): Report {
  const report = reportOf(results, more);
  const options = { file: "known.json", today: "2026-06-15", rules, repair: "repair it" };
  return applyBaseline(report, { ...options, list: recordCoverage(listOf(...entries), report) });
}

/** The exit code, and the kinds and names of the findings, except that a record is missing, which has its own test. */
function summarize(report: Report): unknown {
  const findings = (report.baseline?.findings ?? []).filter(({ kind }) => kind !== "unrecorded");
  return [report.exitCode, ...findings.map(({ kind, name }) => `${kind} ${name}`)];
}

describe("applyBaseline", () => {
  it("does not fail a run for known failures, and marks them", () => {
    const report = gateResults(
      [passingResult, failingResult, lateResult],
      [entry({ id: failingResult.id }), entry({ id: lateResult.id, outcome: "timed-out", flaky: true })],
    );
    expect(summarize(report)).toEqual([0]);
    expect(report.runs[0]?.results.map(({ known }) => known)).toEqual([undefined, "failing", "flaky"]);
    expect(report.baseline).toEqual({ file: "known.json", known: 2, findings: [] });
    expect(report.counts.violates).toBe(1);
  });

  it("fails for unlisted failures in addition to listed ones", () => {
    const report = gateResults(
      [passingResult, failingResult, violatedResult("sample/1.0/note/invalid/other", { rule: "S-2" })],
      [entry({ id: failingResult.id })],
    );
    expect(summarize(report)).toEqual([1]);
    expect(report.baseline).toMatchObject({ known: 1, repair: "repair it" });
  });

  it("covers a rule with all its vectors", () => {
    expect(
      summarize(
        gateResults(
          [passingResult, failingResult, violatedResult("sample/1.0/note/invalid/b")],
          [entry({ rule: "S-1" })],
        ),
      ),
    ).toEqual([0]);
  });

  it("reports a listed rule about answers as stale once no answer violates it", () => {
    const answers = { ...(rules[0] as Rule), id: "S-ANSWER-1", status: { covered: byAnswers } };
    const reportOfKind = (kind: string): Report => {
      const report = reportOf([passingResult]);
      const runs = report.runs.map((run) => ({ ...run, target: { ...run.target, kind } }));
      const list = listOf(entry({ rule: "S-ANSWER-1" }));
      return applyBaseline(
        { ...report, runs },
        { list, file: "known.json", today: "2026-06-15", rules: [...rules, answers], repair: "" },
      );
    };
    expect(summarize(reportOfKind("http"))).toEqual([1, "stale S-ANSWER-1"]);
    expect(summarize(reportOfKind("module"))).toEqual([1, "unknown S-ANSWER-1"]);
  });

  it("fails if a listed result fails with an outcome other than that of its entry", () => {
    const report = gateResults(
      [passingResult, { ...lateResult, id: failingResult.id }],
      [entry({ id: failingResult.id })],
    );
    expect(summarize(report)).toEqual([1, `changed ${failingResult.id}`]);
    expect(report.baseline?.findings[0]?.what).toBe(
      "the list says that it is violated; now it gets no answer in time: no answer",
    );
    expect(report.runs[0]?.results[1]).not.toHaveProperty("known");
    expect(summarize(gateResults([passingResult, { ...lateResult, rule: "S-1" }], [entry({ rule: "S-1" })]))).toEqual([
      1,
      "unexercised S-1",
    ]);
  });

  it("fails for an entry that passes now, unless it is flaky or was skipped", () => {
    expect(summarize(gateResults([passingResult], [entry({ id: passingResult.id })]))).toEqual([
      1,
      `stale ${passingResult.id}`,
    ]);
    expect(summarize(gateResults([passingResult], [entry({ id: passingResult.id, flaky: true })]))).toEqual([0]);
    expect(summarize(gateResults([passingResult, advice], [entry({ id: advice.id })]))).toEqual([
      1,
      `stale ${advice.id}`,
    ]);
    const skippedResult = result({ id: failingResult.id, rule: "S-1", outcome: "skipped", why: "needs raw-text" });
    expect(summarize(gateResults([passingResult, skippedResult], [entry({ id: failingResult.id })]))).toEqual([
      0,
      `unexercised ${failingResult.id}`,
    ]);
    expect(summarize(gateResults([passingResult, skippedResult], [entry({ rule: "S-1" })]))).toEqual([
      0,
      "unexercised S-1",
    ]);
  });

  it("fails for the entry of a rule without failures", () => {
    const passingVector = result({ id: failingResult.id, rule: "S-1" });
    expect(summarize(gateResults([passingVector], [entry({ rule: "S-1" })]))).toEqual([1, "stale S-1"]);
    expect(summarize(gateResults([passingVector, violatedResult("v")], [entry({ rule: "S-1" })]))).toEqual([0]);
  });

  it("covers all vectors of an assertion that no rule names", () => {
    const { rule: _, ...withoutRule } = failingResult;
    const site = "https://x.example/note.json#/properties/title/minLength";
    const short = "note.json#/properties/title/minLength";
    for (const name of [site, short]) {
      expect(summarize(gateResults([passingResult, { ...withoutRule, site }], [entry({ site: name })]))).toEqual([0]);
      expect(
        summarize(gateResults([passingResult, { ...withoutRule, site: `${site}x` }], [entry({ site: name })])),
      ).toEqual([1, `unknown ${name}`]);
      expect(summarize(gateResults([{ ...passingResult, site }], [entry({ site: name })]))).toEqual([
        1,
        `stale ${name}`,
      ]);
    }
    expect(summarize(gateResults([passingResult, { ...failingResult, site }], [entry({ site: short })]))).toEqual([
      1,
      `unknown ${short}`,
    ]);
    const bothEntries = [entry({ site: short }), entry({ id: failingResult.id })];
    expect(summarize(gateResults([passingResult, { ...withoutRule, site }], bothEntries))).toEqual([
      1,
      `duplicate ${failingResult.id}`,
    ]);
  });

  it("accepts every name of an assertion that reports and --only use, and suggests one for a misspelling", () => {
    const { rule: _, ...withoutRule } = failingResult;
    const site = "https://x.example/made.json#/$defs/title/minLength";
    const source = { file: "schemas/note.json", line: 7, column: 3, pointer: "/components/title/minLength" };
    const gateWithEntry = (name: string, result: Result): Report =>
      applyBaseline(reportOf([passingResult, result]), {
        list: listOf(entry({ site: name })),
        file: "known.json",
        today: "2026-06-15",
        rules,
        sourceOf: (assertion) => (assertion === site ? source : undefined),
      });
    const names = ["schemas/note.json#/components/title/minLength", "note.json#/components/title/minLength"];
    for (const name of [...names, "schemas/note.json:7:3 #/$defs/title/minLength", "made.json#/$defs/title/minLength"])
      expect(summarize(gateWithEntry(name, { ...withoutRule, site }))).toEqual([0]);
    for (const name of [
      "other/note.json#/components/title/minLength",
      "schemas/note.json:8:3",
      "note.json#/components",
    ])
      expect(summarize(gateWithEntry(name, { ...withoutRule, site }))).toEqual([1, `unknown ${name}`]);
    const reportWithTypo = gateWithEntry("mode.json#/$defs/title/minLength", { ...withoutRule, site });
    expect(reportWithTypo.baseline?.findings.at(-1)?.what).toContain(
      'did you mean "made.json#/$defs/title/minLength"?',
    );
    const reportWithSite = gateWithEntry(names[0] as string, { ...failingResult, site });
    expect(reportWithSite.baseline?.findings.at(-1)?.what).toBe("its vectors are of the rule S-1: name that");
  });

  it("covers a refusal by the assertion that its reasons name, under which reports show it", () => {
    const { rule: _, ...withoutRule } = failingResult;
    const [ownSite, namedSite] = ["day/enum", "title/minLength"].map((place) => `note.json#/properties/${place}`);
    const siteResult = { ...withoutRule, id: "shows", at: "/title", site: namedSite, outcome: "conforms" } as Result;
    const reasons = [{ at: "/title", keyword: "minLength" }];
    const refusal = {
      ...withoutRule,
      verdict: "valid",
      site: ownSite,
      answer: { verdict: "rejected", reasons },
    } as Result;
    expect(
      summarize(gateResults([passingResult, siteResult, refusal], [entry({ site: namedSite as string })])),
    ).toEqual([0]);
    expect(
      gateResults([passingResult, siteResult, refusal], [entry({ site: namedSite as string })]).runs[0]?.results[2]
        ?.site,
    ).toBe(ownSite);
  });

  it("ignores an expired entry if a partial run has none of its results", () => {
    const report = reportOf([passingResult]);
    const runs = report.runs.map((run) => ({ ...run, filter: { only: ["**/valid/**"], skip: [] } }));
    const gateOptionsFor = (id: string) => ({
      list: listOf(entry({ id, expires: "2026-06-14" })),
      file: "known.json",
      today: "2026-06-15",
      rules,
      repair: "",
    });
    expect(summarize(applyBaseline({ ...report, runs } as Report, gateOptionsFor(failingResult.id)))).toEqual([0]);
    expect(summarize(applyBaseline({ ...report, runs } as Report, gateOptionsFor(passingResult.id)))).toEqual([
      1,
      `expired ${passingResult.id}`,
    ]);
  });

  it("warns about an entry for two weeks before it expires, and keeps it", () => {
    const list = [entry({ id: failingResult.id, expires: "2026-06-29", owner: "hub team" })];
    const report = gateResults([passingResult, failingResult], list);
    expect(summarize(report)).toEqual([0, `expiring ${failingResult.id}`]);
    expect(report.baseline?.findings[0]?.what).toBe("it expires in 14 days, on 2026-06-29; its owner is hub team");
    expect(
      summarize(gateResults([passingResult, failingResult], [entry({ id: failingResult.id, expires: "2026-06-30" })])),
    ).toEqual([0]);
    const options = { file: "known.json", today: "2026-06-15", rules, list: listOf(...list) };
    expect(updateList(reportOf([passingResult, failingResult]), options).list.entries).toEqual(list);
  });

  it("fails for an entry from the day after its expiry date", () => {
    expect(
      summarize(gateResults([passingResult, failingResult], [entry({ id: failingResult.id, expires: "2026-06-15" })])),
    ).toEqual([0, `expiring ${failingResult.id}`]);
    expect(
      summarize(gateResults([passingResult, failingResult], [entry({ id: failingResult.id, expires: "2026-06-14" })])),
    ).toEqual([1, `expired ${failingResult.id}`]);
    const renderGated = (...args: Parameters<typeof gateResults>): string =>
      terminal.render(gateResults(...args), { rules });
    const expiredText = renderGated(
      [passingResult, failingResult],
      [entry({ id: failingResult.id, expires: "2026-06-14" })],
    );
    expect(expiredText).toContain(`
known.json: 0 known failures
  expired: ${failingResult.id}: it was valid until 2026-06-14; now it is violated
`);
    expect(renderGated([passingResult], [entry({ id: passingResult.id })])).toContain(
      "known.json: none of the listed failures occurs\n",
    );
    // This holds even if the expired entry is the only failure.
    expect(summarize(gateResults([passingResult], [entry({ rule: "S-1", expires: "2026-06-14" })]))).toEqual([
      1,
      "expired S-1",
    ]);
  });

  it("reports repeated entries, including entries that the entry of their rule covers", () => {
    expect(
      summarize(
        gateResults([passingResult, failingResult], [entry({ id: failingResult.id }), entry({ id: failingResult.id })]),
      ),
    ).toEqual([1, `duplicate ${failingResult.id}`]);
    expect(
      summarize(gateResults([passingResult, failingResult], [entry({ id: failingResult.id }), entry({ rule: "S-1" })])),
    ).toEqual([1, `duplicate ${failingResult.id}`]);
    const bothEntries = [entry({ id: failingResult.id, outcome: "timed-out" }), entry({ rule: "S-1" })];
    expect(
      summarize(
        gateResults(
          [passingResult, { ...lateResult, id: failingResult.id, rule: "S-1" }, violatedResult("v")],
          bothEntries,
        ),
      ),
    ).toEqual([0]);
  });

  it("fails for an entry that names no existing vector or rule", () => {
    expect(summarize(gateResults([passingResult], [entry({ id: `${note}/valid/b` })]))).toEqual([
      1,
      `unknown ${note}/valid/b`,
    ]);
    expect(gateResults([passingResult], [entry({ id: `${note}/valid/b` })]).baseline?.findings[0]?.what).toContain(
      `did you mean "${passingResult.id}"`,
    );
    expect(summarize(gateResults([passingResult], [entry({ id: "simple/1.0/note/valid/a" })]))).toEqual([
      1,
      "unknown simple/1.0/note/valid/a",
    ]);
    expect(summarize(gateResults([passingResult], [entry({ rule: "S-9" })]))).toEqual([1, "unknown S-9"]);
    expect(summarize(gateResults([passingResult], [entry({ rule: "S-1" })]))).toEqual([1, "unknown S-1"]);
  });

  it("ignores entries outside of the run", () => {
    const outsideEntries = [entry({ id: "ahcp/0.3/message/valid/minimal" }), entry({ rule: "AHCP-VER-001" })];
    expect(summarize(gateResults([passingResult], outsideEntries))).toEqual([0]);
    const story = "sample/1.0/scenarios/story/S-1";
    expect(summarize(gateResults([passingResult], [entry({ id: story })]))).toEqual([0, `unexercised ${story}`]);
    const playedResult = result({ id: "sample/1.0/scenarios/other/S-1", document: "scenarios" });
    expect(
      summarize(gateResults([passingResult, playedResult], [entry({ id: "sample/1.0/scenarios/story/S-1" })])),
    ).toHaveLength(2);
  });

  it("judges only entries whose vectors a partial run has tested", () => {
    const untestedEntries = [entry({ id: failingResult.id }), entry({ rule: "S-1" })];
    for (const part of partialReports(reportOf([passingResult]))) {
      const options = { file: "known.json", today: "2026-06-15", rules, repair: "repair it" };
      const partWithoutFindings = applyBaseline(part, { ...options, list: listOf(...untestedEntries) });
      expect(partWithoutFindings.baseline).toEqual({ file: "known.json", known: 0, findings: [] });
      expect(partWithoutFindings.exitCode).toBe(part.complete ? 0 : 3);
      const gatedPart = applyBaseline(part, { ...options, list: listOf(entry({ id: passingResult.id })) });
      expect(gatedPart.baseline?.findings.map(({ kind }) => kind)).toEqual(["stale"]);
      expect(gatedPart.baseline).not.toHaveProperty("repair");
    }
  });

  it("reports another vector set, and fails only for the results", () => {
    const options = { file: "known.json", today: "2026-06-15", rules, repair: "repair it" };
    const list = { ...listOf(entry({ id: failingResult.id })), sets: { sample: "sha256-old" } };
    const report = applyBaseline(reportOf([passingResult, failingResult]), { ...options, list });
    expect(summarize(report)).toEqual([0, "set sample"]);
    expect(report.baseline?.repair).toBe("repair it");
  });

  it("counts warnings if they fail the run", () => {
    expect(summarize(gateResults([passingResult, advice], []))).toEqual([0]);
    expect(summarize(gateResults([passingResult, advice], [], { failOn: "should" }))).toEqual([1]);
    expect(
      summarize(
        gateResults([passingResult, advice], [entry({ id: advice.id, outcome: "warns" })], { failOn: "should" }),
      ),
    ).toEqual([0]);
  });

  it("never passes a run without results", () => {
    expect(gateResults([lateResult], [entry({ id: lateResult.id, outcome: "timed-out" })]).exitCode).toBe(3);
    expect(gateResults([], []).exitCode).toBe(2);
  });
});

/** One report for each reason why a run is partial. */
function partialReports(whole: Report): Report[] {
  const [run] = whole.runs as [Report["runs"][number]];
  return [
    { ...whole, runs: [{ ...run, filter: { only: ["valid"], skip: [] } }] },
    { ...whole, runs: [{ ...run, filter: { only: [], skip: ["invalid"] } }] },
    { ...whole, runs: [{ ...run, shard: { index: 1, count: 2 } }] },
    { ...whole, complete: false },
  ];
}

describe("updateList", () => {
  const options = { file: "known.json", today: "2026-06-15", rules };

  it("removes outdated entries, and adds new ones only with a reason", () => {
    const keptEntry = entry({ id: failingResult.id, owner: "us" });
    const list = {
      ...listOf(keptEntry, entry({ id: passingResult.id }), entry({ id: "nowhere" }), keptEntry),
      sets: { sample: "old", other: "o" },
    };
    const newFailure = violatedResult(`${note}/invalid/slow`);
    const report = reportOf([passingResult, failingResult, newFailure]);
    const tidied = updateList(report, { ...options, list });
    expect(tidied).toEqual({
      list: {
        $schema: "",
        sets: { sample: "sha256-x", other: "o" },
        judged: { "run sample http": judgedResults(report.runs[0] as Run) },
        entries: [keptEntry],
      },
      added: 0,
      removed: 3,
      notAdded: 1,
      unanswered: 0,
    });
    const grownList = updateList(report, {
      ...options,
      list,
      addition: { reason: "slow", expires: "2026-07-01", flaky: true },
    });
    expect(grownList.list.entries).toEqual([
      keptEntry,
      { id: newFailure.id, rule: "S-1", outcome: "violates", reason: "slow", expires: "2026-07-01", flaky: true },
    ]);
    expect(applyBaseline(report, { ...options, list: grownList.list })).toMatchObject({
      exitCode: 0,
      baseline: { known: 2, findings: [] },
    });
  });

  it("keeps an entry with a new outcome only if a reason is given", () => {
    const report = reportOf([passingResult, failingResult]);
    const list = listOf(entry({ id: failingResult.id, outcome: "wrong-reason" }));
    expect(updateList(report, { ...options, list })).toMatchObject({ list: { entries: [] }, notAdded: 1 });
    const { entries } = updateList(report, { ...options, list, addition: { reason: "slow" } }).list;
    expect(entries).toEqual([{ id: failingResult.id, rule: "S-1", outcome: "violates", reason: "slow" }]);
  });

  it("keeps the matching one of two entries with the same name, in either order", () => {
    const [fittingEntry, otherEntry] = [
      entry({ id: failingResult.id, owner: "us" }),
      entry({ id: failingResult.id, outcome: "timed-out" }),
    ];
    const report = reportOf([passingResult, failingResult]);
    for (const entries of [
      [fittingEntry, otherEntry],
      [otherEntry, fittingEntry],
    ]) {
      const list = listOf(...entries);
      expect(updateList(report, { ...options, list }).list.entries).toEqual([fittingEntry]);
      const finding = applyBaseline(report, { ...options, list }).baseline?.findings.find(
        ({ kind }) => kind === "duplicate",
      );
      const place = entries.indexOf(fittingEntry) + 1;
      expect(finding?.what).toBe(
        `entry ${place} of the list has the same name, with the outcome "violates", not "timed-out", the owner "us", not null; an update keeps that entry`,
      );
    }
  });

  it("adds a rule in place of its vectors, and removes the entries that it covers", () => {
    const [secondFailure, failureWithoutRule] = [
      violatedResult("w"),
      violatedResult("f", { rule: undefined, site: "note.schema.json#/x" } as never),
    ];
    const list = listOf(entry({ id: failingResult.id, rule: "S-1" }));
    const report = reportOf([passingResult, failingResult, secondFailure, failureWithoutRule]);
    const update = updateList(report, { ...options, list, addition: { reason: "slow" }, byRule: true });
    expect(update.list.entries).toEqual([
      { rule: "S-1", outcome: "violates", reason: "slow" },
      { site: "note.schema.json#/x", outcome: "violates", reason: "slow" },
    ]);
    expect(update).toMatchObject({ added: 2, removed: 1, notAdded: 0 });
  });

  it("neither adds nor removes entries for results that are skipped or have no usable answer", () => {
    const [erroredEntry, skippedEntry] = [violatedResult("e"), violatedResult("s")].map(({ id }) => entry({ id })) as [
      BaselineEntry,
      BaselineEntry,
    ];
    const erroredResult = result({ id: "e", rule: "S-2", outcome: "errored", stage: "answer", why: "HTTP 500" });
    const skippedResult = result({ id: "s", rule: "S-2", outcome: "skipped", why: "needs the hook clock" });
    const report = reportOf([
      passingResult,
      erroredResult,
      skippedResult,
      { ...lateResult, rule: "S-1" },
      violatedResult("v", { rule: "S-2" }),
    ]);
    const entries = [erroredEntry, skippedEntry, entry({ rule: "S-1" })];
    for (const addition of [undefined, { reason: "until 2.0" }]) {
      const update = updateList(report, { ...options, list: listOf(...entries), addition });
      const added = addition === undefined ? [] : [entry({ id: "v", rule: "S-2", reason: "until 2.0" })];
      expect(update.list.entries).toEqual([...entries, ...added]);
      expect(update).toMatchObject({ removed: 0, unanswered: 2 });
    }
  });

  it("keeps the entry of a rule if fewer of its vectors were judged than before", () => {
    const passes = result({ id: "p", rule: "S-1" });
    const before = reportOf([passingResult, passes, violatedResult("v")]);
    const list = recordCoverage(listOf(entry({ rule: "S-1" })), before);
    const skipped = result({ id: "v", rule: "S-1", outcome: "skipped", why: "needs the hook clock" });
    expect(updateList(reportOf([passingResult, passes, skipped]), { ...options, list }).list.entries).toEqual(
      list.entries,
    );
    expect(
      updateList(reportOf([passingResult, passes, { ...passes, id: "v" }]), { ...options, list }).list.entries,
    ).toEqual([]);
  });

  it("rejects the report of a partial run", () => {
    const whole = reportOf([passingResult, failingResult]);
    for (const part of partialReports(whole))
      expect(() => updateList(part, { ...options, list: listOf() })).toThrow(/only be made from a whole run/);
    const failed = {
      ...whole,
      runs: whole.runs.map((run) => ({ ...run, failure: { stage: "answer", message: "gone" } })),
    };
    expect(() => updateList(failed, { ...options, list: listOf() })).toThrow(/failed at answer/);
  });

  it("rejects a new entry that has already expired", () => {
    const addition = { reason: "r", expires: "2026-06-14" };
    expect(() => updateList(reportOf([passingResult]), { ...options, list: listOf(), addition })).toThrow(/has passed/);
  });
});

it("applyBaseline leaves the counts unchanged", () => {
  const { runs, counts } = gateResults([passingResult, failingResult], [entry({ id: failingResult.id })]);
  expect(counts).toEqual(sum(runs.map((run) => count(run.results))));
});
