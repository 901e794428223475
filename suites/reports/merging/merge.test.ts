import { describe, expect, it } from "vitest";
import { count, type Report, type Result, type Run } from "../../../schemas/index.ts";
import { reportOf, result, violatedResult } from "../../results/sample.fixture.ts";
import { type MergeSource, merge } from "./merge.ts";

const results = ["a", "b", "c", "d", "e"].map((id) => (id === "d" ? violatedResult(id) : result({ id })));
const whole = reportOf(results);

/** The n-th of three shards, with every third result. */
function shard(index: number, more: Partial<Report> = {}, about: Partial<Run> = {}): MergeSource {
  const mine = results.filter((_, place) => place % 3 === index - 1);
  const report = reportOf(mine, more);
  const runs = report.runs.map((run) => ({
    ...run,
    set: { ...run.set, count: 5 },
    shard: { index, count: 3 },
    ...about,
  }));
  return { file: `${index}.json`, report: { ...report, runs, exitCode: report.exitCode } };
}

const places = (_: Run, id: string): number => results.findIndex((result) => result.id === id);

describe("merged shards", () => {
  it("are the report of the whole run, in any order", () => {
    const merged = merge([shard(2), shard(3), shard(1)], places);
    expect(merged).toEqual(whole);
  });

  it("keep all results if their order is unknown", () => {
    const merged = merge([shard(1), shard(2), shard(3)], () => undefined);
    expect(merged.runs[0]?.results.map(({ id }) => id)).toEqual(["a", "d", "b", "e", "c"]);
    expect(merged.counts).toEqual(count(results));
  });

  it("last from the first start to the last end", () => {
    const late = { started: "2026-01-15T09:31:00.000Z", durationMs: 500 };
    expect(merge([shard(1), shard(2, late), shard(3)], places)).toMatchObject({
      started: "2026-01-15T09:30:00.000Z",
      durationMs: 60_500,
    });
  });

  it("are incomplete if one is, even if it broke off before a protocol", () => {
    const broken = shard(1, { complete: false, exitCode: 3 });
    expect(merge([broken, shard(2), shard(3)], places)).toMatchObject({ complete: false });
    const two = [1, 2, 3].map((index): MergeSource => {
      const { file, report } = shard(index);
      const other = report.runs.map((run) => ({ ...run, protocol: "other", results: [], counts: count([]) }));
      return { file, report: { ...report, runs: index === 2 ? report.runs : [...report.runs, ...other] } };
    });
    expect(merge(two, places)).toMatchObject({
      complete: false,
      runs: [{ protocol: "sample" }, { protocol: "other" }],
    });
  });

  it("name a rule once that one of them could not test", () => {
    const lost = { times: 1, last: "exit 3" };
    expect(merge([shard(1, {}, { lost }), shard(2, {}, { lost }), shard(3)], places).runs).toMatchObject([
      { lost: { times: 2, last: "exit 3" } },
    ]);
    const untested = [{ rule: "A-SECURITY-001", why: "POST /a gets no answer" }];
    expect(merge([shard(1, {}, { untested }), shard(2, {}, { untested }), shard(3)], places).runs).toMatchObject([
      { untested },
    ]);
  });

  it("name the shard that failed", () => {
    const failure = { stage: "answer", message: "it went away" };
    const merged = merge([shard(1), shard(3, { complete: false }, { failure }), shard(2)], places);
    expect(merged.runs[0]?.failure).toEqual({ stage: "answer", message: "it went away (shard 3)" });
  });

  it("keep the findings of the baseline, once", () => {
    const stale = { kind: "stale", name: "S-1", what: "it passes" } as const;
    const gated = (index: number): MergeSource =>
      shard(index, { baseline: { file: "b", known: index, findings: [stale] } });
    const merged = merge([gated(1), gated(2), gated(3)], places);
    expect(merged.baseline).toEqual({ file: "b", known: 6, findings: [stale] });
  });

  it("have the command that they share, without a seed that each drew for itself", () => {
    const seeded = (index: number): MergeSource =>
      shard(index, { command: `npx touchstone run sample --seed ${index} --only x` });
    expect(merge([1, 2, 3].map(seeded), places).command).toBe("npx touchstone run sample --only x");
    expect(merge([shard(1), shard(2), shard(3, { command: "other" })], places).command).toBe("");
    const drawn = (index: number, file = "a.js"): MergeSource =>
      shard(index, { options: { verb: "run", protocol: "sample", target: { kind: "module", file }, seed: index } });
    const { options } = merge(
      [1, 2, 3].map((index) => drawn(index)),
      places,
    );
    expect(options).toEqual({ verb: "run", protocol: "sample", target: { kind: "module", file: "a.js" } });
    expect(merge([drawn(1), drawn(2), drawn(3, "b.js")], places).options).toBeUndefined();
  });

  it.each<[string, MergeSource[], RegExp]>([
    ["one is missing", [shard(1), shard(3)], /shard 2 of 3 is missing/],
    ["two are missing", [shard(2)], /shard 1, 3 of 3 is missing/],
    ["one is given twice", [shard(1), shard(2), shard(1), shard(3)], /1\.json: shard 1 of 3 is given twice/],
    ["one is of another split", [shard(1), shard(2, {}, { shard: { index: 2, count: 2 } })], /one of 2 shards/],
    ["one is of no shard", [shard(1), { file: "w", report: whole }], /w: expected the report of a shard/],
    ["there are none", [], /expected the report of a shard/],
    [
      "the vectors differ",
      [shard(1), shard(2, {}, { set: { digest: "sha256-y", count: 5 } }), shard(3)],
      /2\.json: .*1\.json: other vectors for sample@1\.0/,
    ],
    ["the filters differ", [shard(1), shard(2, {}, { filter: { only: ["a"], skip: [] } }), shard(3)], /other filters/],
    ["the targets differ", [shard(1), shard(2, {}, { target: { kind: "http", name: "x" } }), shard(3)], /other target/],
    ["the tools differ", [shard(1), shard(2, { tool: { name: "touchstone", version: "0.2.0" } }), shard(3)], /0\.2\.0/],
    ["what fails differs", [shard(1), shard(2, { failOn: "may" }), shard(3)], /--fail-on/],
    ["a vector is in two", [shard(1), shard(2, {}, { results: [results[0] as Result] }), shard(3)], /in two shards/],
  ])("are refused if %s", (_, sources, output) => {
    expect(() => merge(sources, places)).toThrow(output);
  });
});
