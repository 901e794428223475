import { describe, expect, it } from "vitest";
import { count, type Report, type Result, type Run } from "../../../schemas/index.ts";
import { reportOf, result, violatedResult } from "../../results/sample.fixture.ts";
import { type MergeSource, merge } from "./merge.ts";

const results = ["a", "b", "c", "d", "e"].map((id) => (id === "d" ? violatedResult(id) : result({ id })));
const wholeReport = reportOf(results);

/** Creates the n-th of three shards, with every third result. */
function shard(index: number, members: Partial<Report> = {}, runMembers: Partial<Run> = {}): MergeSource {
  const shardResults = results.filter((_, position) => position % 3 === index - 1);
  const report = reportOf(shardResults, members);
  const runs = report.runs.map((run) => ({
    ...run,
    set: { ...run.set, count: 5 },
    shard: { index, count: 3 },
    ...runMembers,
  }));
  return { file: `${index}.json`, report: { ...report, runs, exitCode: report.exitCode } };
}

const placeOf = (_: Run, id: string): number => results.findIndex((result) => result.id === id);

describe("the merged report of shards", () => {
  it("equals the report of the whole run, in any order of the shards", () => {
    const merged = merge([shard(2), shard(3), shard(1)], placeOf);
    expect(merged).toEqual(wholeReport);
  });

  it("keeps all results if their order is unknown", () => {
    const merged = merge([shard(1), shard(2), shard(3)], () => undefined);
    expect(merged.runs[0]?.results.map(({ id }) => id)).toEqual(["a", "d", "b", "e", "c"]);
    expect(merged.counts).toEqual(count(results));
  });

  it("lasts from the first start to the last end", () => {
    const lateMembers = { started: "2026-01-15T09:31:00.000Z", durationMs: 500 };
    expect(merge([shard(1), shard(2, lateMembers), shard(3)], placeOf)).toMatchObject({
      started: "2026-01-15T09:30:00.000Z",
      durationMs: 60_500,
    });
  });

  it("is incomplete if a shard is incomplete or lacks a protocol", () => {
    const brokenShard = shard(1, { complete: false, exitCode: 3 });
    expect(merge([brokenShard, shard(2), shard(3)], placeOf)).toMatchObject({ complete: false });
    const shardsOfTwo = [1, 2, 3].map((index): MergeSource => {
      const { file, report } = shard(index);
      const otherRuns = report.runs.map((run) => ({ ...run, protocol: "other", results: [], counts: count([]) }));
      return { file, report: { ...report, runs: index === 2 ? report.runs : [...report.runs, ...otherRuns] } };
    });
    expect(merge(shardsOfTwo, placeOf)).toMatchObject({
      complete: false,
      runs: [{ protocol: "sample" }, { protocol: "other" }],
    });
  });

  it("sums the crashes, and lists an untested rule of several shards only once", () => {
    const lost = { times: 1, last: "exit 3" };
    expect(merge([shard(1, {}, { lost }), shard(2, {}, { lost }), shard(3)], placeOf).runs).toMatchObject([
      { lost: { times: 2, last: "exit 3" } },
    ]);
    const untested = [{ rule: "A-SECURITY-001", why: "POST /a gets no answer" }];
    expect(merge([shard(1, {}, { untested }), shard(2, {}, { untested }), shard(3)], placeOf).runs).toMatchObject([
      { untested },
    ]);
  });

  it("names the shard that failed", () => {
    const failure = { stage: "answer", message: "it went away" };
    const merged = merge([shard(1), shard(3, { complete: false }, { failure }), shard(2)], placeOf);
    expect(merged.runs[0]?.failure).toEqual({ stage: "answer", message: "it went away (shard 3)" });
  });

  it("contains each finding of the baseline once", () => {
    const stale = { kind: "stale", name: "S-1", what: "it passes" } as const;
    const shardWithBaseline = (index: number): MergeSource =>
      shard(index, { baseline: { file: "b", known: index, findings: [stale] } });
    const merged = merge([shardWithBaseline(1), shardWithBaseline(2), shardWithBaseline(3)], placeOf);
    expect(merged.baseline).toEqual({ file: "b", known: 6, findings: [stale] });
  });

  it("has the shared command, without a seed that differs between shards", () => {
    const shardWithSeed = (index: number): MergeSource =>
      shard(index, { command: `npx touchstone run sample --seed ${index} --only x` });
    expect(merge([1, 2, 3].map(shardWithSeed), placeOf).command).toBe("npx touchstone run sample --only x");
    expect(merge([shard(1), shard(2), shard(3, { command: "other" })], placeOf).command).toBe("");
    const shardWithOptions = (index: number, file = "a.js"): MergeSource =>
      shard(index, { options: { verb: "run", protocol: "sample", target: { kind: "module", file }, seed: index } });
    const { options } = merge(
      [1, 2, 3].map((index) => shardWithOptions(index)),
      placeOf,
    );
    expect(options).toEqual({ verb: "run", protocol: "sample", target: { kind: "module", file: "a.js" } });
    expect(
      merge([shardWithOptions(1), shardWithOptions(2), shardWithOptions(3, "b.js")], placeOf).options,
    ).toBeUndefined();
  });

  it.each<[string, MergeSource[], RegExp]>([
    ["a shard is missing", [shard(1), shard(3)], /shard 2 of 3 is missing/],
    ["two shards are missing", [shard(2)], /shard 1, 3 of 3 is missing/],
    ["a shard is given twice", [shard(1), shard(2), shard(1), shard(3)], /1\.json: shard 1 of 3 is given twice/],
    [
      "a shard is from a different split",
      [shard(1), shard(2, {}, { shard: { index: 2, count: 2 } })],
      /one of 2 shards/,
    ],
    [
      "a report is not from a shard",
      [shard(1), { file: "w", report: wholeReport }],
      /w: expected the report of a shard/,
    ],
    ["there are no reports", [], /expected the report of a shard/],
    [
      "the vectors differ",
      [shard(1), shard(2, {}, { set: { digest: "sha256-y", count: 5 } }), shard(3)],
      /2\.json: .*1\.json: other vectors for sample@1\.0/,
    ],
    ["the filters differ", [shard(1), shard(2, {}, { filter: { only: ["a"], skip: [] } }), shard(3)], /other filters/],
    ["the targets differ", [shard(1), shard(2, {}, { target: { kind: "http", name: "x" } }), shard(3)], /other target/],
    ["the tools differ", [shard(1), shard(2, { tool: { name: "touchstone", version: "0.2.0" } }), shard(3)], /0\.2\.0/],
    ["the level that fails differs", [shard(1), shard(2, { failOn: "may" }), shard(3)], /--fail-on/],
    [
      "a vector is in two shards",
      [shard(1), shard(2, {}, { results: [results[0] as Result] }), shard(3)],
      /in two shards/,
    ],
  ])("is refused if %s", (_, sources, output) => {
    expect(() => merge(sources, placeOf)).toThrow(output);
  });
});
