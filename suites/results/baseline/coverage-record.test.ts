import { describe, expect, it } from "vitest";
import type { Baseline, Cause, Report, Result, Rule } from "../../../schemas/index.ts";
import { upgradeTable } from "../../reports/sections/upgrade-table.ts";
import { describeConclusion } from "../../reports/wording/phrases.ts";
import { reportOf, result, rules, violatedResult } from "../sample.fixture.ts";
import { applyBaseline } from "./gate.ts";
import { listText } from "./list-text.ts";
import { type UpdateOptions, updateList } from "./update.ts";
import { filterOf, matcherOf } from "./vector-filter.ts";

const empty: Baseline = { $schema: "", sets: {}, entries: [] };
const all: Rule[] = [...rules, { ...(rules[0] as Rule), id: "S-2" }, { ...(rules[0] as Rule), id: "S-3" }];
const options = { file: "known.json", today: "2026-06-15", rules: all, repair: "repair it" };
const clock: Cause = { kind: "needs-setting", needs: ["clock"] };
const story = "sample/1.0/scenarios/story";

const ids = ["a", "b", "c"].map((name) => `sample/1.0/note/valid/${name}`);
const vectors = ids.map((id, index) => result({ id, rule: `S-${index + 1}` }));
const playedResults = [1, 2].map((number) => result({ id: `${story}/S-${number}`, rule: `S-${number}` }));

function listFor(report: Report, more: Partial<UpdateOptions> = {}): Baseline {
  return updateList(report, { ...options, list: empty, ...more }).list;
}

function word(report: Report, list: Baseline): unknown[] {
  const gatedReport = applyBaseline(report, { ...options, list });
  return [gatedReport.exitCode, ...(gatedReport.baseline?.findings ?? []).map(({ kind, what }) => `${kind}: ${what}`)];
}

function skip({ outcome: _, ...resultMembers }: Result, cause: Cause): Result {
  return { ...resultMembers, outcome: "skipped", why: "skipped", cause };
}

/** The same results, run with another set of vectors. */
function upgraded(report: Report): Report {
  return { ...report, runs: report.runs.map((run) => ({ ...run, set: { ...run.set, digest: "sha256-new" } })) };
}

describe("a list", () => {
  const wholeReport = reportOf([...vectors, ...playedResults]);
  const list = listFor(wholeReport);

  it("records the judged vectors, and fails a run that judges fewer", () => {
    expect(list.judged).toMatchObject({
      "run sample http": { results: 5, rules: { "S-1": 2, "S-2": 2, "S-3": 1 }, scenarios: ["story"], skipped: {} },
    });
    expect(word(wholeReport, list)).toEqual([0]);
    const [one, two, three] = vectors as [Result, Result, Result];
    const reportWithLoss = reportOf([one, two, skip(three, clock), ...playedResults]);
    expect(word(reportWithLoss, list)).toEqual([
      1,
      "coverage: the run judged less than the baseline records: 1 fewer (4 of 5); rules no longer judged: S-3; newly skipped: 1 needs-setting clock",
    ]);
    expect(describeConclusion(applyBaseline(reportWithLoss, { ...options, list }))).toMatch(
      /^The run judged less than the baseline records/,
    );
    expect(applyBaseline(reportWithLoss, { ...options, list }).baseline?.repair).toBe("repair it");
    expect(word(reportWithLoss, updateList(reportWithLoss, { ...options, list }).list)).toEqual([0]);
  });

  it("fails a run without the scenarios that were played before, and names entries for them", () => {
    const brokenReport = reportOf([
      ...vectors,
      playedResults[0] as Result,
      violatedResult(`${story}/S-2`, { rule: "S-2" }),
    ]);
    const known = listFor(brokenReport, { addition: { reason: "later" } });
    expect(word(reportOf(vectors), known)).toEqual([
      1,
      "coverage: the run judged less than the baseline records: 2 fewer (3 of 5); scenarios no longer played: story",
      "unexercised: no scenario was played",
    ]);
  });

  it("does not count an error, or a scenario that showed nothing this time, as a loss", () => {
    const [one, ...otherResults] = [...vectors, ...playedResults] as [Result, ...Result[]];
    const errored: Result = { ...one, outcome: "errored", stage: "answer", why: "HTTP 500" };
    expect(word(reportOf([errored, ...otherResults]), list)).toEqual([1]);
    const [first, last] = playedResults as [Result, Result];
    expect(word(reportOf([...vectors, first, skip(last, { kind: "ended-early" })]), list)).toEqual([0]);
  });

  it("fails for a rule that only a scenario shows, once it shows nothing any more", () => {
    const [first, last] = playedResults as [Result, Result];
    const [one, , three] = vectors as [Result, Result, Result];
    const before = listFor(reportOf([one, three, first, last]));
    const now = reportOf([one, three, first, skip(last, { kind: "ended-early" })]);
    expect(word(now, before)).toEqual([1, expect.stringContaining("rules no longer judged: S-2")]);
  });

  it("says that the list has no record, and works without one", () => {
    const { judged: _, ...older } = list;
    expect(word(wholeReport, older)).toEqual([0, expect.stringMatching(/^unrecorded: .*does not record/)]);
    expect(word(reportOf(vectors.slice(1)), older)[0]).toBe(0);
    const play = { ...wholeReport, options: { verb: "play", protocol: "sample", target: { kind: "hooks" } } } as Report;
    expect(word(play, list)).toEqual([0, expect.stringMatching(/^unrecorded/)]);
  });

  it("counts as lost, with another set, only rules and scenarios that still exist", () => {
    const [one, two] = vectors as [Result, Result];
    expect(word(upgraded(reportOf([one, two, ...playedResults])), list)).toEqual([
      1,
      expect.stringMatching(/^set/),
      "coverage: the run judged less than the baseline records: rules no longer judged: S-3",
    ]);
    const before = {
      ...list,
      judged: { "run sample http": { ...list.judged?.["run sample http"], rules: { OLD: 9 } } },
    };
    expect(word(upgraded(wholeReport), before as Baseline)).toEqual([0, expect.stringMatching(/^set/)]);
  });
});

describe("an upgrade of the vectors", () => {
  const oldFailure = violatedResult("sample/1.0/note/invalid/old");
  const removedFailure = violatedResult("sample/1.0/note/invalid/gone");
  const list = listFor(reportOf([...vectors, oldFailure, removedFailure]), { addition: { reason: "later" } });
  const newFailures = ["n", "m"].map((name) => violatedResult(`sample/1.0/note/invalid/new/${name}`));
  const regressed = { ...violatedResult(ids[2] as string), rule: "S-3" };
  const now = upgraded(reportOf([...vectors.slice(0, 2), regressed, oldFailure, ...newFailures]));

  it("counts vectors separately that the old set did not have, and names those that are gone", () => {
    const gatedReport = applyBaseline(now, { ...options, list });
    expect(gatedReport.baseline?.newVectors).toEqual(newFailures.map(({ id }) => id));
    expect(describeConclusion(gatedReport)).toMatch(/: 1 regression, 2 new vectors\.$/);
    expect(gatedReport.baseline?.findings).toContainEqual({
      kind: "removed",
      name: removedFailure.id,
      what: "it is no longer in the vector set",
    });
    const same = upgraded(reportOf([...vectors, oldFailure]));
    expect(word(same, list)).toEqual([0, expect.stringMatching(/^set/), expect.stringMatching(/^removed/)]);
    const misspelt = { ...list, entries: [{ ...list.entries[0], id: "sample/1.0/note/invalid/odl" }] } as Baseline;
    expect(applyBaseline(now, { ...options, list: misspelt }).baseline?.findings).toContainEqual(
      expect.objectContaining({ kind: "unknown", what: expect.stringContaining("did you mean") }),
    );
  });

  it("is accepted without its regressions", () => {
    const made = updateList(now, { ...options, list, addition: { reason: "new" }, forNewSet: true });
    expect(made.list.entries.map(({ id }) => id)).toEqual([oldFailure.id, ...newFailures.map(({ id }) => id)]);
    expect(made).toMatchObject({ added: 2, removed: 1, left: 1 });
    expect(made.list.sets).toEqual({ sample: "sha256-new" });
    const gatedReport = applyBaseline(now, { ...options, list: made.list });
    expect(gatedReport.exitCode).toBe(1);
    const table = upgradeTable({ before: applyBaseline(now, { ...options, list }), now: gatedReport, sets: list.sets });
    expect(table).toContain("- sample 1.0: `sha256-x` to `sha256-new`");
    expect(table).toContain("1 regression, 2 failures of new vectors, 1 entry removed with their vectors; 3 known");
    expect(table).toContain(
      "| regression | <code>S-3</code> | 1 |\n| new vectors fail | <code>S-1</code> | 2 |\n| entries of removed vectors |",
    );
  });
});

it("a filter contains its members, and hardly any other ids", () => {
  const manyIds = Array.from({ length: 2000 }, (_, index) => `sample/1.0/note/valid/${index}`);
  const has = matcherOf(filterOf(manyIds));
  expect(manyIds.every(has)).toBe(true);
  expect(manyIds.filter((id) => has(`${id}/other`)).length).toBeLessThan(40);
  expect(matcherOf(filterOf([]))("a")).toBe(false);
});

it("a list is written with compact records, and reads as the same value", () => {
  const list = listFor(reportOf([...vectors, violatedResult("v", { why: "x" })]), {
    addition: { reason: "record of run sample http" },
  });
  const text = listText(list);
  expect(JSON.parse(text)).toEqual(list);
  expect(text.split("\n")).toContainEqual('      "rules": {"S-1":2,"S-2":1,"S-3":1},');
  expect(listText(empty)).toBe(`${JSON.stringify(empty, null, 2)}\n`);
});
