import { describe, expect, it } from "vitest";
import type { Baseline, Cause, Report, Result, Rule } from "../../../schemas/index.ts";
import { upgradeTable } from "../../reports/sections/upgrade-table.ts";
import { describeConclusion } from "../../reports/wording/phrases.ts";
import { reportOf, result, rules, violatedResult } from "../sample.fixture.ts";
import { applyBaseline } from "./gate.ts";
import { formatList } from "./list-text.ts";
import { type UpdateOptions, updateList } from "./update.ts";
import { filterOf, matcherOf } from "./vector-filter.ts";

const emptyList: Baseline = { $schema: "", sets: {}, entries: [] };
const allRules: Rule[] = [...rules, { ...(rules[0] as Rule), id: "S-2" }, { ...(rules[0] as Rule), id: "S-3" }];
const options = { file: "known.json", today: "2026-06-15", rules: allRules, repair: "repair it" };
const clockCause: Cause = { kind: "needs-setting", needs: ["clock"] };
const story = "sample/1.0/scenarios/story";

const ids = ["a", "b", "c"].map((name) => `sample/1.0/note/valid/${name}`);
const vectors = ids.map((id, index) => result({ id, rule: `S-${index + 1}` }));
const playedResults = [1, 2].map((number) => result({ id: `${story}/S-${number}`, rule: `S-${number}` }));

function listFor(report: Report, more: Partial<UpdateOptions> = {}): Baseline {
  return updateList(report, { ...options, list: emptyList, ...more }).list;
}

function summarize(report: Report, list: Baseline): unknown[] {
  const gatedReport = applyBaseline(report, { ...options, list });
  return [gatedReport.exitCode, ...(gatedReport.baseline?.findings ?? []).map(({ kind, what }) => `${kind}: ${what}`)];
}

function skip({ outcome: _, ...resultMembers }: Result, cause: Cause): Result {
  return { ...resultMembers, outcome: "skipped", why: "skipped", cause };
}

/** The same results, as if they came from a different vector set. */
function withNewSet(report: Report): Report {
  return { ...report, runs: report.runs.map((run) => ({ ...run, set: { ...run.set, digest: "sha256-new" } })) };
}

describe("a list", () => {
  const wholeReport = reportOf([...vectors, ...playedResults]);
  const list = listFor(wholeReport);

  it("records the judged vectors, and fails a run that judges fewer", () => {
    expect(list.judged).toMatchObject({
      "run sample http": { results: 5, rules: { "S-1": 2, "S-2": 2, "S-3": 1 }, scenarios: ["story"], skipped: {} },
    });
    expect(summarize(wholeReport, list)).toEqual([0]);
    const [first, second, third] = vectors as [Result, Result, Result];
    const reportWithLoss = reportOf([first, second, skip(third, clockCause), ...playedResults]);
    expect(summarize(reportWithLoss, list)).toEqual([
      1,
      "coverage: the run judged less than the baseline records: 1 fewer (4 of 5); rules no longer judged: S-3; newly skipped: 1 needs-setting clock",
    ]);
    expect(describeConclusion(applyBaseline(reportWithLoss, { ...options, list }))).toMatch(
      /^The run judged less than the baseline records/,
    );
    expect(applyBaseline(reportWithLoss, { ...options, list }).baseline?.repair).toBe("repair it");
    expect(summarize(reportWithLoss, updateList(reportWithLoss, { ...options, list }).list)).toEqual([0]);
  });

  it("fails a run that omits previously played scenarios, and reports the entries for them", () => {
    const brokenReport = reportOf([
      ...vectors,
      playedResults[0] as Result,
      violatedResult(`${story}/S-2`, { rule: "S-2" }),
    ]);
    const listWithEntries = listFor(brokenReport, { addition: { reason: "later" } });
    expect(summarize(reportOf(vectors), listWithEntries)).toEqual([
      1,
      "coverage: the run judged less than the baseline records: 2 fewer (3 of 5); scenarios no longer played: story",
      "unexercised: no scenario was played",
    ]);
  });

  it("does not count an error, or a scenario that showed nothing this time, as a loss", () => {
    const [one, ...otherResults] = [...vectors, ...playedResults] as [Result, ...Result[]];
    const erroredResult: Result = { ...one, outcome: "errored", stage: "answer", why: "HTTP 500" };
    expect(summarize(reportOf([erroredResult, ...otherResults]), list)).toEqual([1]);
    const [first, last] = playedResults as [Result, Result];
    expect(summarize(reportOf([...vectors, first, skip(last, { kind: "ended-early" })]), list)).toEqual([0]);
  });

  it("fails if a rule was judged only by a scenario that no longer judges it", () => {
    const [first, last] = playedResults as [Result, Result];
    const [one, , three] = vectors as [Result, Result, Result];
    const formerList = listFor(reportOf([one, three, first, last]));
    const currentReport = reportOf([one, three, first, skip(last, { kind: "ended-early" })]);
    expect(summarize(currentReport, formerList)).toEqual([1, expect.stringContaining("rules no longer judged: S-2")]);
  });

  it("reports that a list has no record of coverage, and works without one", () => {
    const { judged: _, ...listWithoutRecord } = list;
    expect(summarize(wholeReport, listWithoutRecord)).toEqual([
      0,
      expect.stringMatching(/^unrecorded: .*does not record/),
    ]);
    expect(summarize(reportOf(vectors.slice(1)), listWithoutRecord)[0]).toBe(0);
    const playReport = {
      ...wholeReport,
      options: { verb: "play", protocol: "sample", target: { kind: "hooks" } },
    } as Report;
    expect(summarize(playReport, list)).toEqual([0, expect.stringMatching(/^unrecorded/)]);
  });

  it("with another vector set, counts rules as lost only if they still exist", () => {
    const [one, two] = vectors as [Result, Result];
    expect(summarize(withNewSet(reportOf([one, two, ...playedResults])), list)).toEqual([
      1,
      expect.stringMatching(/^set/),
      "coverage: the run judged less than the baseline records: rules no longer judged: S-3",
    ]);
    const before = {
      ...list,
      judged: { "run sample http": { ...list.judged?.["run sample http"], rules: { OLD: 9 } } },
    };
    expect(summarize(withNewSet(wholeReport), before as Baseline)).toEqual([0, expect.stringMatching(/^set/)]);
  });
});

describe("an upgrade of the vectors", () => {
  const oldFailure = violatedResult("sample/1.0/note/invalid/old");
  const removedFailure = violatedResult("sample/1.0/note/invalid/gone");
  const list = listFor(reportOf([...vectors, oldFailure, removedFailure]), { addition: { reason: "later" } });
  const newFailures = ["n", "m"].map((name) => violatedResult(`sample/1.0/note/invalid/new/${name}`));
  const regression = { ...violatedResult(ids[2] as string), rule: "S-3" };
  const upgradedReport = withNewSet(reportOf([...vectors.slice(0, 2), regression, oldFailure, ...newFailures]));

  it("counts new vectors separately, and names the removed ones", () => {
    const gatedReport = applyBaseline(upgradedReport, { ...options, list });
    expect(gatedReport.baseline?.newVectors).toEqual(newFailures.map(({ id }) => id));
    expect(describeConclusion(gatedReport)).toMatch(/: 1 regression, 2 new vectors\.$/);
    expect(gatedReport.baseline?.findings).toContainEqual({
      kind: "removed",
      name: removedFailure.id,
      what: "it is no longer in the vector set",
    });
    const reportWithoutFailures = withNewSet(reportOf([...vectors, oldFailure]));
    expect(summarize(reportWithoutFailures, list)).toEqual([
      0,
      expect.stringMatching(/^set/),
      expect.stringMatching(/^removed/),
    ]);
    const misspeltList = { ...list, entries: [{ ...list.entries[0], id: "sample/1.0/note/invalid/odl" }] } as Baseline;
    expect(applyBaseline(upgradedReport, { ...options, list: misspeltList }).baseline?.findings).toContainEqual(
      expect.objectContaining({ kind: "unknown", what: expect.stringContaining("did you mean") }),
    );
  });

  it("is accepted without its regressions", () => {
    const update = updateList(upgradedReport, { ...options, list, addition: { reason: "new" }, forNewSet: true });
    expect(update.list.entries.map(({ id }) => id)).toEqual([oldFailure.id, ...newFailures.map(({ id }) => id)]);
    expect(update).toMatchObject({ added: 2, removed: 1, notAdded: 1 });
    expect(update.list.sets).toEqual({ sample: "sha256-new" });
    const gatedReport = applyBaseline(upgradedReport, { ...options, list: update.list });
    expect(gatedReport.exitCode).toBe(1);
    const table = upgradeTable({
      before: applyBaseline(upgradedReport, { ...options, list }),
      now: gatedReport,
      sets: list.sets,
    });
    expect(table).toContain("- sample 1.0: `sha256-x` to `sha256-new`");
    expect(table).toContain("1 regression, 2 failures of new vectors, 1 entry removed with their vectors; 3 known");
    expect(table).toContain(
      "| regression | <code>S-3</code> | 1 |\n| new vectors fail | <code>S-1</code> | 2 |\n| entries of removed vectors |",
    );
  });
});

it("a vector filter contains all its ids, and hardly any others", () => {
  const manyIds = Array.from({ length: 2000 }, (_, index) => `sample/1.0/note/valid/${index}`);
  const has = matcherOf(filterOf(manyIds));
  expect(manyIds.every(has)).toBe(true);
  expect(manyIds.filter((id) => has(`${id}/other`)).length).toBeLessThan(40);
  expect(matcherOf(filterOf([]))("a")).toBe(false);
});

it("a list is written with compact records, and parses to an equal list", () => {
  const list = listFor(reportOf([...vectors, violatedResult("v", { why: "x" })]), {
    addition: { reason: "record of run sample http" },
  });
  const text = formatList(list);
  expect(JSON.parse(text)).toEqual(list);
  expect(text.split("\n")).toContainEqual('      "rules": {"S-1":2,"S-2":1,"S-3":1},');
  expect(formatList(emptyList)).toBe(`${JSON.stringify(emptyList, null, 2)}\n`);
});
