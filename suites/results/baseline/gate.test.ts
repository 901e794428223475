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

function held(results: Result[], entries: BaselineEntry[], more: Partial<Report> = {}): Report {
  const report = reportOf(results, more);
  const options = { file: "known.json", today: "2026-06-15", rules, repair: "repair it" };
  return applyBaseline(report, { ...options, list: recordCoverage(listOf(...entries), report) });
}

/** The kinds and names of the findings, and the exit code. The remark on lists without a record has a test of its own. */
function word(report: Report): unknown {
  const findings = (report.baseline?.findings ?? []).filter(({ kind }) => kind !== "unrecorded");
  return [report.exitCode, ...findings.map(({ kind, name }) => `${kind} ${name}`)];
}

describe("gated", () => {
  it("does not fail a run for known failures, and marks them", () => {
    const report = held(
      [passingResult, failingResult, lateResult],
      [entry({ id: failingResult.id }), entry({ id: lateResult.id, outcome: "timed-out", flaky: true })],
    );
    expect(word(report)).toEqual([0]);
    expect(report.runs[0]?.results.map(({ known }) => known)).toEqual([undefined, "failing", "flaky"]);
    expect(report.baseline).toEqual({ file: "known.json", known: 2, findings: [] });
    expect(report.counts.violates).toBe(1);
  });

  it("fails for unlisted failures in addition to listed ones", () => {
    const report = held(
      [passingResult, failingResult, violatedResult("sample/1.0/note/invalid/other", { rule: "S-2" })],
      [entry({ id: failingResult.id })],
    );
    expect(word(report)).toEqual([1]);
    expect(report.baseline).toMatchObject({ known: 1, repair: "repair it" });
  });

  it("covers a rule with all its vectors", () => {
    expect(
      word(held([passingResult, failingResult, violatedResult("sample/1.0/note/invalid/b")], [entry({ rule: "S-1" })])),
    ).toEqual([0]);
  });

  it("notices when no answer violates a listed rule on answers any more, if there were answers", () => {
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
    expect(word(reportOfKind("http"))).toEqual([1, "stale S-ANSWER-1"]);
    expect(word(reportOfKind("module"))).toEqual([1, "unknown S-ANSWER-1"]);
  });

  it("pins the outcome: a result that fails in another way fails again", () => {
    const report = held([passingResult, { ...lateResult, id: failingResult.id }], [entry({ id: failingResult.id })]);
    expect(word(report)).toEqual([1, `changed ${failingResult.id}`]);
    expect(report.baseline?.findings[0]?.what).toBe(
      "the list says that it is violated; now it gets no answer in time: no answer",
    );
    expect(report.runs[0]?.results[1]).not.toHaveProperty("known");
    expect(word(held([passingResult, { ...lateResult, rule: "S-1" }], [entry({ rule: "S-1" })]))).toEqual([
      1,
      "unexercised S-1",
    ]);
  });

  it("fails for an entry that passes now, unless it is flaky or was not tested", () => {
    expect(word(held([passingResult], [entry({ id: passingResult.id })]))).toEqual([1, `stale ${passingResult.id}`]);
    expect(word(held([passingResult], [entry({ id: passingResult.id, flaky: true })]))).toEqual([0]);
    expect(word(held([passingResult, advice], [entry({ id: advice.id })]))).toEqual([1, `stale ${advice.id}`]);
    const unaskedResult = result({ id: failingResult.id, rule: "S-1", outcome: "skipped", why: "needs raw-text" });
    expect(word(held([passingResult, unaskedResult], [entry({ id: failingResult.id })]))).toEqual([
      0,
      `unexercised ${failingResult.id}`,
    ]);
    expect(word(held([passingResult, unaskedResult], [entry({ rule: "S-1" })]))).toEqual([0, "unexercised S-1"]);
  });

  it("fails for an entry whose rule has no failures any more", () => {
    const passes = result({ id: failingResult.id, rule: "S-1" });
    expect(word(held([passes], [entry({ rule: "S-1" })]))).toEqual([1, "stale S-1"]);
    expect(word(held([passes, violatedResult("v")], [entry({ rule: "S-1" })]))).toEqual([0]);
  });

  it("covers all vectors of an assertion that no rule names", () => {
    const { rule: _, ...withoutRule } = failingResult;
    const site = "https://x.example/note.json#/properties/title/minLength";
    const short = "note.json#/properties/title/minLength";
    for (const name of [site, short]) {
      expect(word(held([passingResult, { ...withoutRule, site }], [entry({ site: name })]))).toEqual([0]);
      expect(word(held([passingResult, { ...withoutRule, site: `${site}x` }], [entry({ site: name })]))).toEqual([
        1,
        `unknown ${name}`,
      ]);
      expect(word(held([{ ...passingResult, site }], [entry({ site: name })]))).toEqual([1, `stale ${name}`]);
    }
    expect(word(held([passingResult, { ...failingResult, site }], [entry({ site: short })]))).toEqual([
      1,
      `unknown ${short}`,
    ]);
    const bothEntries = [entry({ site: short }), entry({ id: failingResult.id })];
    expect(word(held([passingResult, { ...withoutRule, site }], bothEntries))).toEqual([
      1,
      `duplicate ${failingResult.id}`,
    ]);
  });

  it("accepts every name of an assertion that reports and --only use, and suggests the intended one", () => {
    const { rule: _, ...withoutRule } = failingResult;
    const site = "https://x.example/made.json#/$defs/title/minLength";
    const source = { file: "schemas/note.json", line: 7, column: 3, pointer: "/components/title/minLength" };
    const given = (name: string, result: Result): Report =>
      applyBaseline(reportOf([passingResult, result]), {
        list: listOf(entry({ site: name })),
        file: "known.json",
        today: "2026-06-15",
        rules,
        sourceOf: (each) => (each === site ? source : undefined),
      });
    const names = ["schemas/note.json#/components/title/minLength", "note.json#/components/title/minLength"];
    for (const name of [...names, "schemas/note.json:7:3 #/$defs/title/minLength", "made.json#/$defs/title/minLength"])
      expect(word(given(name, { ...withoutRule, site }))).toEqual([0]);
    for (const name of [
      "other/note.json#/components/title/minLength",
      "schemas/note.json:8:3",
      "note.json#/components",
    ])
      expect(word(given(name, { ...withoutRule, site }))).toEqual([1, `unknown ${name}`]);
    const slip = given("mode.json#/$defs/title/minLength", { ...withoutRule, site });
    expect(slip.baseline?.findings.at(-1)?.what).toContain('did you mean "made.json#/$defs/title/minLength"?');
    const reportWithSite = given(names[0] as string, { ...failingResult, site });
    expect(reportWithSite.baseline?.findings.at(-1)?.what).toBe("its vectors are of the rule S-1: name that");
  });

  it("covers a refusal by the assertion under which it is shown, which its reasons name", () => {
    const { rule: _, ...withoutRule } = failingResult;
    const [own, named] = ["day/enum", "title/minLength"].map((place) => `note.json#/properties/${place}`);
    const shows = { ...withoutRule, id: "shows", at: "/title", site: named, outcome: "conforms" } as Result;
    const reasons = [{ at: "/title", keyword: "minLength" }];
    const refusal = { ...withoutRule, verdict: "valid", site: own, answer: { verdict: "rejected", reasons } } as Result;
    expect(word(held([passingResult, shows, refusal], [entry({ site: named as string })]))).toEqual([0]);
    expect(held([passingResult, shows, refusal], [entry({ site: named as string })]).runs[0]?.results[2]?.site).toBe(
      own,
    );
  });

  it("says nothing about an expired entry if the part that was run has none of its results", () => {
    const report = reportOf([passingResult]);
    const runs = report.runs.map((run) => ({ ...run, filter: { only: ["**/valid/**"], skip: [] } }));
    const gate = (id: string) => ({
      list: listOf(entry({ id, expires: "2026-06-14" })),
      file: "known.json",
      today: "2026-06-15",
      rules,
      repair: "",
    });
    expect(word(applyBaseline({ ...report, runs } as Report, gate(failingResult.id)))).toEqual([0]);
    expect(word(applyBaseline({ ...report, runs } as Report, gate(passingResult.id)))).toEqual([
      1,
      `expired ${passingResult.id}`,
    ]);
  });

  it("warns about an entry for two weeks before it expires, and keeps it", () => {
    const list = [entry({ id: failingResult.id, expires: "2026-06-29", owner: "hub team" })];
    const report = held([passingResult, failingResult], list);
    expect(word(report)).toEqual([0, `expiring ${failingResult.id}`]);
    expect(report.baseline?.findings[0]?.what).toBe("it expires in 14 days, on 2026-06-29; its owner is hub team");
    expect(
      word(held([passingResult, failingResult], [entry({ id: failingResult.id, expires: "2026-06-30" })])),
    ).toEqual([0]);
    const options = { file: "known.json", today: "2026-06-15", rules, list: listOf(...list) };
    expect(updateList(reportOf([passingResult, failingResult]), options).list.entries).toEqual(list);
  });

  it("fails for an expired entry, from the day after", () => {
    expect(
      word(held([passingResult, failingResult], [entry({ id: failingResult.id, expires: "2026-06-15" })])),
    ).toEqual([0, `expiring ${failingResult.id}`]);
    expect(
      word(held([passingResult, failingResult], [entry({ id: failingResult.id, expires: "2026-06-14" })])),
    ).toEqual([1, `expired ${failingResult.id}`]);
    const shown = (...args: Parameters<typeof held>): string => terminal.render(held(...args), { rules });
    const expiredText = shown([passingResult, failingResult], [entry({ id: failingResult.id, expires: "2026-06-14" })]);
    expect(expiredText).toContain(`
known.json: 0 known failures
  expired: ${failingResult.id}: it was valid until 2026-06-14; now it is violated
`);
    expect(shown([passingResult], [entry({ id: passingResult.id })])).toContain(
      "known.json: none of the listed failures occurs\n",
    );
    // This holds even if the expired entry is the only failure.
    expect(word(held([passingResult], [entry({ rule: "S-1", expires: "2026-06-14" })]))).toEqual([1, "expired S-1"]);
  });

  it("reports repeated entries, including repetitions by their rule", () => {
    expect(
      word(held([passingResult, failingResult], [entry({ id: failingResult.id }), entry({ id: failingResult.id })])),
    ).toEqual([1, `duplicate ${failingResult.id}`]);
    expect(
      word(held([passingResult, failingResult], [entry({ id: failingResult.id }), entry({ rule: "S-1" })])),
    ).toEqual([1, `duplicate ${failingResult.id}`]);
    const bothEntries = [entry({ id: failingResult.id, outcome: "timed-out" }), entry({ rule: "S-1" })];
    expect(
      word(
        held([passingResult, { ...lateResult, id: failingResult.id, rule: "S-1" }, violatedResult("v")], bothEntries),
      ),
    ).toEqual([0]);
  });

  it("fails for an entry that names nothing", () => {
    expect(word(held([passingResult], [entry({ id: `${note}/valid/b` })]))).toEqual([1, `unknown ${note}/valid/b`]);
    expect(held([passingResult], [entry({ id: `${note}/valid/b` })]).baseline?.findings[0]?.what).toContain(
      `did you mean "${passingResult.id}"`,
    );
    expect(word(held([passingResult], [entry({ id: "simple/1.0/note/valid/a" })]))).toEqual([
      1,
      "unknown simple/1.0/note/valid/a",
    ]);
    expect(word(held([passingResult], [entry({ rule: "S-9" })]))).toEqual([1, "unknown S-9"]);
    expect(word(held([passingResult], [entry({ rule: "S-1" })]))).toEqual([1, "unknown S-1"]);
  });

  it("ignores entries outside of the run", () => {
    const elsewhere = [entry({ id: "ahcp/0.3/message/valid/minimal" }), entry({ rule: "AHCP-VER-001" })];
    expect(word(held([passingResult], elsewhere))).toEqual([0]);
    const story = "sample/1.0/scenarios/story/S-1";
    expect(word(held([passingResult], [entry({ id: story })]))).toEqual([0, `unexercised ${story}`]);
    const played = result({ id: "sample/1.0/scenarios/other/S-1", document: "scenarios" });
    expect(word(held([passingResult, played], [entry({ id: "sample/1.0/scenarios/story/S-1" })]))).toHaveLength(2);
  });

  it("judges only entries whose vectors a partial run has tested", () => {
    const absent = [entry({ id: failingResult.id }), entry({ rule: "S-1" })];
    for (const part of parts(reportOf([passingResult]))) {
      const options = { file: "known.json", today: "2026-06-15", rules, repair: "repair it" };
      const quiet = applyBaseline(part, { ...options, list: listOf(...absent) });
      expect(quiet.baseline).toEqual({ file: "known.json", known: 0, findings: [] });
      expect(quiet.exitCode).toBe(part.complete ? 0 : 3);
      const gatedPart = applyBaseline(part, { ...options, list: listOf(entry({ id: passingResult.id })) });
      expect(gatedPart.baseline?.findings.map(({ kind }) => kind)).toEqual(["stale"]);
      expect(gatedPart.baseline).not.toHaveProperty("repair");
    }
  });

  it("reports another vector set, and fails only for the results", () => {
    const options = { file: "known.json", today: "2026-06-15", rules, repair: "repair it" };
    const list = { ...listOf(entry({ id: failingResult.id })), sets: { sample: "sha256-old" } };
    const report = applyBaseline(reportOf([passingResult, failingResult]), { ...options, list });
    expect(word(report)).toEqual([0, "set sample"]);
    expect(report.baseline?.repair).toBe("repair it");
  });

  it("counts warnings if they fail the run", () => {
    expect(word(held([passingResult, advice], []))).toEqual([0]);
    expect(word(held([passingResult, advice], [], { failOn: "should" }))).toEqual([1]);
    expect(
      word(held([passingResult, advice], [entry({ id: advice.id, outcome: "warns" })], { failOn: "should" })),
    ).toEqual([0]);
  });

  it("never passes for lack of results", () => {
    expect(held([lateResult], [entry({ id: lateResult.id, outcome: "timed-out" })]).exitCode).toBe(3);
    expect(held([], []).exitCode).toBe(2);
  });
});

/** Each way to run only a part. */
function parts(whole: Report): Report[] {
  const [run] = whole.runs as [Report["runs"][number]];
  return [
    { ...whole, runs: [{ ...run, filter: { only: ["valid"], skip: [] } }] },
    { ...whole, runs: [{ ...run, filter: { only: [], skip: ["invalid"] } }] },
    { ...whole, runs: [{ ...run, shard: { index: 1, count: 2 } }] },
    { ...whole, complete: false },
  ];
}

describe("updated", () => {
  const options = { file: "known.json", today: "2026-06-15", rules };

  it("removes outdated entries, and adds new ones only with a reason", () => {
    const keptEntry = entry({ id: failingResult.id, owner: "us" });
    const list = {
      ...listOf(keptEntry, entry({ id: passingResult.id }), entry({ id: "nowhere" }), keptEntry),
      sets: { sample: "old", other: "o" },
    };
    const slow = violatedResult(`${note}/invalid/slow`);
    const report = reportOf([passingResult, failingResult, slow]);
    const tidy = updateList(report, { ...options, list });
    expect(tidy).toEqual({
      list: {
        $schema: "",
        sets: { sample: "sha256-x", other: "o" },
        judged: { "run sample http": judgedResults(report.runs[0] as Run) },
        entries: [keptEntry],
      },
      added: 0,
      removed: 3,
      left: 1,
      unanswered: 0,
    });
    const grownList = updateList(report, {
      ...options,
      list,
      addition: { reason: "slow", expires: "2026-07-01", flaky: true },
    });
    expect(grownList.list.entries).toEqual([
      keptEntry,
      { id: slow.id, rule: "S-1", outcome: "violates", reason: "slow", expires: "2026-07-01", flaky: true },
    ]);
    expect(applyBaseline(report, { ...options, list: grownList.list })).toMatchObject({
      exitCode: 0,
      baseline: { known: 2, findings: [] },
    });
  });

  it("keeps an entry with a new outcome only if a reason is given", () => {
    const report = reportOf([passingResult, failingResult]);
    const list = listOf(entry({ id: failingResult.id, outcome: "wrong-reason" }));
    expect(updateList(report, { ...options, list })).toMatchObject({ list: { entries: [] }, left: 1 });
    const { entries } = updateList(report, { ...options, list, addition: { reason: "slow" } }).list;
    expect(entries).toEqual([{ id: failingResult.id, rule: "S-1", outcome: "violates", reason: "slow" }]);
  });

  it("keeps the matching entry of two with one name, in either order", () => {
    const [fits, other] = [
      entry({ id: failingResult.id, owner: "us" }),
      entry({ id: failingResult.id, outcome: "timed-out" }),
    ];
    const report = reportOf([passingResult, failingResult]);
    for (const entries of [
      [fits, other],
      [other, fits],
    ]) {
      const list = listOf(...entries);
      expect(updateList(report, { ...options, list }).list.entries).toEqual([fits]);
      const finding = applyBaseline(report, { ...options, list }).baseline?.findings.find(
        ({ kind }) => kind === "duplicate",
      );
      const place = entries.indexOf(fits) + 1;
      expect(finding?.what).toBe(
        `entry ${place} of the list has the same name, with the outcome "violates", not "timed-out", the owner "us", not null; an update keeps that entry`,
      );
    }
  });

  it("adds a rule in place of its vectors, and removes the entries that it covers", () => {
    const [second, free] = [
      violatedResult("w"),
      violatedResult("f", { rule: undefined, site: "note.schema.json#/x" } as never),
    ];
    const list = listOf(entry({ id: failingResult.id, rule: "S-1" }));
    const report = reportOf([passingResult, failingResult, second, free]);
    const made = updateList(report, { ...options, list, addition: { reason: "slow" }, byRule: true });
    expect(made.list.entries).toEqual([
      { rule: "S-1", outcome: "violates", reason: "slow" },
      { site: "note.schema.json#/x", outcome: "violates", reason: "slow" },
    ]);
    expect(made).toMatchObject({ added: 2, removed: 1, left: 0 });
  });

  it("neither adds nor removes entries for results that are skipped or without a usable answer", () => {
    const [errored, skipped] = [violatedResult("e"), violatedResult("s")].map(({ id }) => entry({ id })) as [
      BaselineEntry,
      BaselineEntry,
    ];
    const failed = result({ id: "e", rule: "S-2", outcome: "errored", stage: "answer", why: "HTTP 500" });
    const left = result({ id: "s", rule: "S-2", outcome: "skipped", why: "needs the hook clock" });
    const report = reportOf([
      passingResult,
      failed,
      left,
      { ...lateResult, rule: "S-1" },
      violatedResult("v", { rule: "S-2" }),
    ]);
    const entries = [errored, skipped, entry({ rule: "S-1" })];
    for (const addition of [undefined, { reason: "until 2.0" }]) {
      const made = updateList(report, { ...options, list: listOf(...entries), addition });
      const added = addition === undefined ? [] : [entry({ id: "v", rule: "S-2", reason: "until 2.0" })];
      expect(made.list.entries).toEqual([...entries, ...added]);
      expect(made).toMatchObject({ removed: 0, unanswered: 2 });
    }
  });

  it("keeps a rule of which less was judged than before", () => {
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

  it("rewrites nothing for a partial run", () => {
    const whole = reportOf([passingResult, failingResult]);
    for (const part of parts(whole))
      expect(() => updateList(part, { ...options, list: listOf() })).toThrow(/only be made from a whole run/);
    const failed = {
      ...whole,
      runs: whole.runs.map((run) => ({ ...run, failure: { stage: "answer", message: "gone" } })),
    };
    expect(() => updateList(failed, { ...options, list: listOf() })).toThrow(/failed at answer/);
  });

  it("adds no entry that has expired already", () => {
    const addition = { reason: "r", expires: "2026-06-14" };
    expect(() => updateList(reportOf([passingResult]), { ...options, list: listOf(), addition })).toThrow(/has passed/);
  });
});

it("leaves counts unchanged", () => {
  const { runs, counts } = held([passingResult, failingResult], [entry({ id: failingResult.id })]);
  expect(counts).toEqual(sum(runs.map((run) => count(run.results))));
});
