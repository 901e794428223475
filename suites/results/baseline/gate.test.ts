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
import { judgedResults, recordOf } from "./coverage-record.ts";
import { holdAgainst } from "./gate.ts";
import { updateList } from "./update.ts";

const note = "sample/1.0/note";
const good = result({ id: `${note}/valid/a` });
const bad = violatedResult(`${note}/invalid/title/too-short`);
const late = result({ id: `${note}/valid/slow`, outcome: "timed-out", stage: "answer", why: "no answer" });
const advice = violatedResult(`${note}/invalid/advice`, { level: "SHOULD", outcome: "warns", rule: "S-2" });

function entry(more: Partial<BaselineEntry>): BaselineEntry {
  return { outcome: "violates", reason: "until 2.0", ...more };
}

function listOf(...entries: BaselineEntry[]): Baseline {
  return { $schema: "", sets: { sample: "sha256-x" }, entries };
}

/** A list with the record of what a report judged. */
function recorded(list: Baseline, report: Report): Baseline {
  return { ...list, judged: Object.fromEntries(report.runs.map((run) => [recordOf(run, report), judgedResults(run)])) };
}

function held(results: Result[], entries: BaselineEntry[], more: Partial<Report> = {}): Report {
  const report = reportOf(results, more);
  const options = { file: "known.json", today: "2026-06-15", rules, repair: "repair it" };
  return holdAgainst(report, { ...options, list: recorded(listOf(...entries), report) });
}

/** The kinds and names of the findings, and the exit code. The remark on lists without a record has a test of its own. */
function word(report: Report): unknown {
  const findings = (report.baseline?.findings ?? []).filter(({ kind }) => kind !== "unrecorded");
  return [report.exitCode, ...findings.map(({ kind, name }) => `${kind} ${name}`)];
}

describe("gated", () => {
  it("does not fail a run for known failures, and marks them", () => {
    const report = held(
      [good, bad, late],
      [entry({ id: bad.id }), entry({ id: late.id, outcome: "timed-out", flaky: true })],
    );
    expect(word(report)).toEqual([0]);
    expect(report.runs[0]?.results.map(({ known }) => known)).toEqual([undefined, "failing", "flaky"]);
    expect(report.baseline).toEqual({ file: "known.json", known: 2, findings: [] });
    expect(report.counts.violates).toBe(1);
  });

  it("fails for unlisted failures in addition to listed ones", () => {
    const report = held(
      [good, bad, violatedResult("sample/1.0/note/invalid/other", { rule: "S-2" })],
      [entry({ id: bad.id })],
    );
    expect(word(report)).toEqual([1]);
    expect(report.baseline).toMatchObject({ known: 1, repair: "repair it" });
  });

  it("covers a rule with all its vectors", () => {
    expect(word(held([good, bad, violatedResult("sample/1.0/note/invalid/b")], [entry({ rule: "S-1" })]))).toEqual([0]);
  });

  it("notices when no answer violates a listed rule on answers any more, if there were answers", () => {
    const answers = { ...(rules[0] as Rule), id: "S-ANSWER-1", status: { covered: byAnswers } };
    const asked = (kind: string): Report => {
      const report = reportOf([good]);
      const runs = report.runs.map((run) => ({ ...run, target: { ...run.target, kind } }));
      const list = listOf(entry({ rule: "S-ANSWER-1" }));
      return holdAgainst(
        { ...report, runs },
        { list, file: "known.json", today: "2026-06-15", rules: [...rules, answers], repair: "" },
      );
    };
    expect(word(asked("http"))).toEqual([1, "stale S-ANSWER-1"]);
    expect(word(asked("module"))).toEqual([1, "unknown S-ANSWER-1"]);
  });

  it("pins the outcome: a result that fails in another way fails again", () => {
    const report = held([good, { ...late, id: bad.id }], [entry({ id: bad.id })]);
    expect(word(report)).toEqual([1, `changed ${bad.id}`]);
    expect(report.baseline?.findings[0]?.what).toBe(
      "the list says that it is violated; now it gets no answer in time: no answer",
    );
    expect(report.runs[0]?.results[1]).not.toHaveProperty("known");
    expect(word(held([good, { ...late, rule: "S-1" }], [entry({ rule: "S-1" })]))).toEqual([1, "unexercised S-1"]);
  });

  it("fails for an entry that passes now, unless it is flaky or was not tested", () => {
    expect(word(held([good], [entry({ id: good.id })]))).toEqual([1, `stale ${good.id}`]);
    expect(word(held([good], [entry({ id: good.id, flaky: true })]))).toEqual([0]);
    expect(word(held([good, advice], [entry({ id: advice.id })]))).toEqual([1, `stale ${advice.id}`]);
    const unasked = result({ id: bad.id, rule: "S-1", outcome: "skipped", why: "needs raw-text" });
    expect(word(held([good, unasked], [entry({ id: bad.id })]))).toEqual([0, `unexercised ${bad.id}`]);
    expect(word(held([good, unasked], [entry({ rule: "S-1" })]))).toEqual([0, "unexercised S-1"]);
  });

  it("fails for an entry whose rule has no failures any more", () => {
    const passes = result({ id: bad.id, rule: "S-1" });
    expect(word(held([passes], [entry({ rule: "S-1" })]))).toEqual([1, "stale S-1"]);
    expect(word(held([passes, violatedResult("v")], [entry({ rule: "S-1" })]))).toEqual([0]);
  });

  it("covers all vectors of an assertion that no rule names", () => {
    const { rule: _, ...bare } = bad;
    const site = "https://x.example/note.json#/properties/title/minLength";
    const short = "note.json#/properties/title/minLength";
    for (const name of [site, short]) {
      expect(word(held([good, { ...bare, site }], [entry({ site: name })]))).toEqual([0]);
      expect(word(held([good, { ...bare, site: `${site}x` }], [entry({ site: name })]))).toEqual([
        1,
        `unknown ${name}`,
      ]);
      expect(word(held([{ ...good, site }], [entry({ site: name })]))).toEqual([1, `stale ${name}`]);
    }
    expect(word(held([good, { ...bad, site }], [entry({ site: short })]))).toEqual([1, `unknown ${short}`]);
    const both = [entry({ site: short }), entry({ id: bad.id })];
    expect(word(held([good, { ...bare, site }], both))).toEqual([1, `duplicate ${bad.id}`]);
  });

  it("accepts every name of an assertion that reports and --only use, and suggests the intended one", () => {
    const { rule: _, ...bare } = bad;
    const site = "https://x.example/made.json#/$defs/title/minLength";
    const source = { file: "schemas/note.json", line: 7, column: 3, pointer: "/components/title/minLength" };
    const given = (name: string, result: Result): Report =>
      holdAgainst(reportOf([good, result]), {
        ...{ list: listOf(entry({ site: name })), file: "known.json", today: "2026-06-15", rules },
        sourceOf: (each) => (each === site ? source : undefined),
      });
    const names = ["schemas/note.json#/components/title/minLength", "note.json#/components/title/minLength"];
    for (const name of [...names, "schemas/note.json:7:3 #/$defs/title/minLength", "made.json#/$defs/title/minLength"])
      expect(word(given(name, { ...bare, site }))).toEqual([0]);
    for (const name of [
      "other/note.json#/components/title/minLength",
      "schemas/note.json:8:3",
      "note.json#/components",
    ])
      expect(word(given(name, { ...bare, site }))).toEqual([1, `unknown ${name}`]);
    const slip = given("mode.json#/$defs/title/minLength", { ...bare, site });
    expect(slip.baseline?.findings.at(-1)?.what).toContain('did you mean "made.json#/$defs/title/minLength"?');
    const ruled = given(names[0] as string, { ...bad, site });
    expect(ruled.baseline?.findings.at(-1)?.what).toBe("its vectors are of the rule S-1: name that");
  });

  it("covers a refusal by the assertion under which it is shown, which its reasons name", () => {
    const { rule: _, ...bare } = bad;
    const [own, named] = ["day/enum", "title/minLength"].map((place) => `note.json#/properties/${place}`);
    const shows = { ...bare, id: "shows", at: "/title", site: named, outcome: "conforms" } as Result;
    const reasons = [{ at: "/title", keyword: "minLength" }];
    const refusal = { ...bare, verdict: "valid", site: own, answer: { verdict: "rejected", reasons } } as Result;
    expect(word(held([good, shows, refusal], [entry({ site: named as string })]))).toEqual([0]);
    expect(held([good, shows, refusal], [entry({ site: named as string })]).runs[0]?.results[2]?.site).toBe(own);
  });

  it("says nothing about an expired entry if the part that was run has none of its results", () => {
    const report = reportOf([good]);
    const runs = report.runs.map((run) => ({ ...run, filter: { only: ["**/valid/**"], skip: [] } }));
    const gate = (id: string) => ({
      list: listOf(entry({ id, expires: "2026-06-14" })),
      file: "known.json",
      today: "2026-06-15",
      rules,
      repair: "",
    });
    expect(word(holdAgainst({ ...report, runs } as Report, gate(bad.id)))).toEqual([0]);
    expect(word(holdAgainst({ ...report, runs } as Report, gate(good.id)))).toEqual([1, `expired ${good.id}`]);
  });

  it("warns about an entry for two weeks before it expires, and keeps it", () => {
    const list = [entry({ id: bad.id, expires: "2026-06-29", owner: "hub team" })];
    const report = held([good, bad], list);
    expect(word(report)).toEqual([0, `expiring ${bad.id}`]);
    expect(report.baseline?.findings[0]?.what).toBe("it expires in 14 days, on 2026-06-29; its owner is hub team");
    expect(word(held([good, bad], [entry({ id: bad.id, expires: "2026-06-30" })]))).toEqual([0]);
    const options = { file: "known.json", today: "2026-06-15", rules, list: listOf(...list) };
    expect(updateList(reportOf([good, bad]), options).list.entries).toEqual(list);
  });

  it("fails for an expired entry, from the day after", () => {
    expect(word(held([good, bad], [entry({ id: bad.id, expires: "2026-06-15" })]))).toEqual([0, `expiring ${bad.id}`]);
    expect(word(held([good, bad], [entry({ id: bad.id, expires: "2026-06-14" })]))).toEqual([1, `expired ${bad.id}`]);
    const shown = (...those: Parameters<typeof held>): string => terminal.render(held(...those), { rules });
    const over = shown([good, bad], [entry({ id: bad.id, expires: "2026-06-14" })]);
    expect(over).toContain(`
known.json: 0 known failures
  expired: ${bad.id}: it held until 2026-06-14; now it is violated
`);
    expect(shown([good], [entry({ id: good.id })])).toContain("known.json: nothing that it lists fails\n");
    // This holds even if the expired entry is the only failure.
    expect(word(held([good], [entry({ rule: "S-1", expires: "2026-06-14" })]))).toEqual([1, "expired S-1"]);
  });

  it("reports repeated entries, including repetitions by their rule", () => {
    expect(word(held([good, bad], [entry({ id: bad.id }), entry({ id: bad.id })]))).toEqual([1, `duplicate ${bad.id}`]);
    expect(word(held([good, bad], [entry({ id: bad.id }), entry({ rule: "S-1" })]))).toEqual([
      1,
      `duplicate ${bad.id}`,
    ]);
    const both = [entry({ id: bad.id, outcome: "timed-out" }), entry({ rule: "S-1" })];
    expect(word(held([good, { ...late, id: bad.id, rule: "S-1" }, violatedResult("v")], both))).toEqual([0]);
  });

  it("fails for an entry that names nothing", () => {
    expect(word(held([good], [entry({ id: `${note}/valid/b` })]))).toEqual([1, `unknown ${note}/valid/b`]);
    expect(held([good], [entry({ id: `${note}/valid/b` })]).baseline?.findings[0]?.what).toContain(
      `did you mean "${good.id}"`,
    );
    expect(word(held([good], [entry({ id: "simple/1.0/note/valid/a" })]))).toEqual([
      1,
      "unknown simple/1.0/note/valid/a",
    ]);
    expect(word(held([good], [entry({ rule: "S-9" })]))).toEqual([1, "unknown S-9"]);
    expect(word(held([good], [entry({ rule: "S-1" })]))).toEqual([1, "unknown S-1"]);
  });

  it("ignores entries outside of the run", () => {
    const elsewhere = [entry({ id: "ahcp/0.3/message/valid/minimal" }), entry({ rule: "AHCP-VER-001" })];
    expect(word(held([good], elsewhere))).toEqual([0]);
    const story = "sample/1.0/scenarios/story/S-1";
    expect(word(held([good], [entry({ id: story })]))).toEqual([0, `unexercised ${story}`]);
    const played = result({ id: "sample/1.0/scenarios/other/S-1", document: "scenarios" });
    expect(word(held([good, played], [entry({ id: "sample/1.0/scenarios/story/S-1" })]))).toHaveLength(2);
  });

  it("judges only entries whose vectors a partial run has tested", () => {
    const absent = [entry({ id: bad.id }), entry({ rule: "S-1" })];
    for (const part of parts(reportOf([good]))) {
      const options = { file: "known.json", today: "2026-06-15", rules, repair: "repair it" };
      const quiet = holdAgainst(part, { ...options, list: listOf(...absent) });
      expect(quiet.baseline).toEqual({ file: "known.json", known: 0, findings: [] });
      expect(quiet.exitCode).toBe(part.complete ? 0 : 3);
      const reported = holdAgainst(part, { ...options, list: listOf(entry({ id: good.id })) });
      expect(reported.baseline?.findings.map(({ kind }) => kind)).toEqual(["stale"]);
      expect(reported.baseline).not.toHaveProperty("repair");
    }
  });

  it("reports another vector set, and fails only for the results", () => {
    const options = { file: "known.json", today: "2026-06-15", rules, repair: "repair it" };
    const list = { ...listOf(entry({ id: bad.id })), sets: { sample: "sha256-old" } };
    const report = holdAgainst(reportOf([good, bad]), { ...options, list });
    expect(word(report)).toEqual([0, "set sample"]);
    expect(report.baseline?.repair).toBe("repair it");
  });

  it("counts warnings if they fail the run", () => {
    expect(word(held([good, advice], []))).toEqual([0]);
    expect(word(held([good, advice], [], { failOn: "should" }))).toEqual([1]);
    expect(word(held([good, advice], [entry({ id: advice.id, outcome: "warns" })], { failOn: "should" }))).toEqual([0]);
  });

  it("never passes for lack of results", () => {
    expect(held([late], [entry({ id: late.id, outcome: "timed-out" })]).exitCode).toBe(3);
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
    const kept = entry({ id: bad.id, owner: "us" });
    const list = {
      ...listOf(kept, entry({ id: good.id }), entry({ id: "nowhere" }), kept),
      sets: { sample: "old", other: "o" },
    };
    const slow = violatedResult(`${note}/invalid/slow`);
    const report = reportOf([good, bad, slow]);
    const tidy = updateList(report, { ...options, list });
    expect(tidy).toEqual({
      list: {
        $schema: "",
        sets: { sample: "sha256-x", other: "o" },
        judged: { "run sample http": judgedResults(report.runs[0] as Run) },
        entries: [kept],
      },
      ...{ added: 0, removed: 3, left: 1, unanswered: 0 },
    });
    const grown = updateList(report, {
      ...options,
      list,
      addition: { reason: "slow", expires: "2026-07-01", flaky: true },
    });
    expect(grown.list.entries).toEqual([
      kept,
      { id: slow.id, rule: "S-1", outcome: "violates", reason: "slow", expires: "2026-07-01", flaky: true },
    ]);
    expect(holdAgainst(report, { ...options, list: grown.list })).toMatchObject({
      exitCode: 0,
      baseline: { known: 2, findings: [] },
    });
  });

  it("keeps an entry with a new outcome only if a reason is given", () => {
    const report = reportOf([good, bad]);
    const list = listOf(entry({ id: bad.id, outcome: "wrong-reason" }));
    expect(updateList(report, { ...options, list })).toMatchObject({ list: { entries: [] }, left: 1 });
    const { entries } = updateList(report, { ...options, list, addition: { reason: "slow" } }).list;
    expect(entries).toEqual([{ id: bad.id, rule: "S-1", outcome: "violates", reason: "slow" }]);
  });

  it("keeps the matching entry of two with one name, in either order", () => {
    const [fits, other] = [entry({ id: bad.id, owner: "us" }), entry({ id: bad.id, outcome: "timed-out" })];
    const report = reportOf([good, bad]);
    for (const entries of [
      [fits, other],
      [other, fits],
    ]) {
      const list = listOf(...entries);
      expect(updateList(report, { ...options, list }).list.entries).toEqual([fits]);
      const finding = holdAgainst(report, { ...options, list }).baseline?.findings.find(
        ({ kind }) => kind === "duplicate",
      );
      const place = entries.indexOf(fits) + 1;
      expect(finding?.what).toBe(
        `entry ${place} of the list has the same name, with the outcome "violates", not "timed-out", the owner "us", not null; an update keeps that one`,
      );
    }
  });

  it("adds a rule in place of its vectors, and removes the entries that it covers", () => {
    const [second, free] = [
      violatedResult("w"),
      violatedResult("f", { rule: undefined, site: "note.schema.json#/x" } as never),
    ];
    const list = listOf(entry({ id: bad.id, rule: "S-1" }));
    const report = reportOf([good, bad, second, free]);
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
    const report = reportOf([good, failed, left, { ...late, rule: "S-1" }, violatedResult("v", { rule: "S-2" })]);
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
    const before = reportOf([good, passes, violatedResult("v")]);
    const list = recorded(listOf(entry({ rule: "S-1" })), before);
    const skipped = result({ id: "v", rule: "S-1", outcome: "skipped", why: "needs the hook clock" });
    expect(updateList(reportOf([good, passes, skipped]), { ...options, list }).list.entries).toEqual(list.entries);
    expect(updateList(reportOf([good, passes, { ...passes, id: "v" }]), { ...options, list }).list.entries).toEqual([]);
  });

  it("rewrites nothing for a partial run", () => {
    const whole = reportOf([good, bad]);
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
    expect(() => updateList(reportOf([good]), { ...options, list: listOf(), addition })).toThrow(/has passed/);
  });
});

it("leaves counts unchanged", () => {
  const { runs, counts } = held([good, bad], [entry({ id: bad.id })]);
  expect(counts).toEqual(sum(runs.map((run) => count(run.results))));
});
