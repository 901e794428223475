import { describe, expect, it } from "vitest";
import { type Counts, noCounts, type Result, type Run } from "../../schemas/index.ts";
import { skipByStatus, skipNeverAsked } from "../base/text/skips.ts";
import { exitCode } from "./exit.ts";

function run(counts: Partial<Counts>, failure?: Run["failure"]): Run {
  const allCounts = { ...noCounts(), ...counts };
  const total = Object.values(allCounts).reduce((sum, number) => sum + number, 0);
  return {
    protocol: "sample",
    version: "1.0",
    target: { kind: "module", name: "x" },
    set: { digest: "", count: total },
    filter: { only: [], skip: [] },
    counts: allCounts,
    results: Array.from({ length: total }, () => ({}) as Result),
    ...(failure === undefined ? {} : { failure }),
  };
}

const openFailure = { stage: "open", message: "no" };

describe("exitCode", () => {
  it.each([
    ["all conform", [run({ conforms: 3 })], 0],
    ["warnings and other causes are shown, not failed", [run({ conforms: 1, warns: 1, "wrong-reason": 1 })], 0],
    ["some skipped, some disputed", [run({ conforms: 1, skipped: 2, disputed: 2 })], 0],
    ["one violated", [run({ conforms: 9, violates: 1 })], 1],
    ["one errored beside answers", [run({ conforms: 9, errored: 1 })], 1],
    ["one timed out beside answers", [run({ conforms: 9, "timed-out": 1 })], 1],
    ["nothing answered", [run({ errored: 2, "timed-out": 1, skipped: 1 })], 3],
    ["everything skipped", [run({ skipped: 3 })], 3],
    ["nothing answered of one protocol", [run({ conforms: 3 }), run({ skipped: 3 })], 3],
    ["could not be opened", [run({}, openFailure)], 3],
    ["could not be opened for one protocol", [run({ conforms: 3 }), run({}, openFailure)], 3],
    ["a violation outweighs a failure", [run({ violates: 1 }), run({}, openFailure)], 1],
    ["everything disputed", [run({ disputed: 3 })], 2],
    ["nothing run", [], 2],
  ] as [string, Run[], number][])("%s: %3$i", (_, runs, code) => expect(exitCode({ runs, complete: true })).toBe(code));

  it("does not count the answer to an operation without parameters as an acceptance", () => {
    const commonMembers = { kind: "vector", level: "MUST" } as const;
    const results = [
      { ...commonMembers, document: "health", verdict: "valid", outcome: "conforms" },
      {
        ...commonMembers,
        document: "health",
        verdict: "invalid",
        outcome: "skipped",
        ...skipNeverAsked("no parameters", "parameters"),
      },
      {
        ...commonMembers,
        document: "pets",
        verdict: "valid",
        outcome: "warns",
        answer: { verdict: "rejected", reasons: [] },
      },
    ] as Result[];
    const exitCodeOf = (runResults: Result[]): number =>
      exitCode({ runs: [{ ...run({ conforms: 1 }), results: runResults }], complete: true });
    expect(exitCodeOf(results)).toBe(3);
    expect(exitCodeOf(results.slice(0, 2))).toBe(0);
  });

  it("is 3 if the target refused all connections after some message, and 1 if it recovered from its errors", () => {
    const resultsWithStages = (...stages: (string | undefined)[]): Result[] =>
      stages.map(
        (stage) => ({ verdict: "valid", outcome: stage === undefined ? "conforms" : "errored", stage }) as Result,
      );
    const exitCodeOf = (results: Result[]): number => {
      const errored = results.filter(({ outcome }) => outcome === "errored").length;
      const conforms = results.length - errored;
      return exitCode({ runs: [{ ...run({ conforms, errored }), results }], complete: true });
    };
    expect(exitCodeOf(resultsWithStages(undefined, "connect", "connect"))).toBe(3);
    expect(exitCodeOf(resultsWithStages(undefined, "connect", "connect", undefined))).toBe(1);
    expect(exitCodeOf(resultsWithStages(undefined, "crash", "crash", "connect"))).toBe(1);
    expect(exitCodeOf(resultsWithStages("crash", undefined))).toBe(1);
  });

  it("is never 0 for an interrupted run", () => {
    expect(exitCode({ runs: [run({ conforms: 3 })], complete: false })).toBe(3);
    expect(exitCode({ runs: [], complete: false })).toBe(3);
    expect(exitCode({ runs: [run({ violates: 3 })], complete: false })).toBe(1);
  });

  it("judges a shard as a whole, since it has only some vectors of each protocol", () => {
    const shard = (counts: Partial<Counts>): Run => ({ ...run(counts), shard: { index: 1, count: 2 } });
    const exitCodeOf = (...runs: Run[]): number => exitCode({ runs, complete: true });
    expect(exitCodeOf(shard({ conforms: 3 }), shard({ skipped: 3 }))).toBe(0);
    expect(exitCodeOf(shard({ conforms: 3 }), shard({}))).toBe(0);
    expect(exitCodeOf(shard({ conforms: 3 }), shard({ disputed: 3 }))).toBe(0);
    expect(exitCodeOf(shard({ skipped: 3 }), shard({}))).toBe(3);
    expect(exitCodeOf(shard({}), shard({}))).toBe(2);
    expect(exitCodeOf(shard({ disputed: 1 }), shard({}))).toBe(2);
    expect(exitCodeOf(shard({ conforms: 3, violates: 1 }), shard({}))).toBe(1);
  });
});

describe("the exit code with a baseline or --fail-on", () => {
  const result = (outcome: Result["outcome"], members: Partial<Result> = {}): Result => ({
    id: "a",
    kind: "vector",
    document: "note",
    description: "",
    verdict: "invalid",
    level: "MUST",
    why: "",
    outcome,
    ...members,
  });
  const runsOf = (...results: Result[]): Run[] => [
    { ...run(Object.fromEntries(results.map(({ outcome }) => [outcome, 1]))), results },
  ];

  it("ignores known failures, unless nothing else was answered", () => {
    const [passing, knownFailure] = [result("conforms"), result("violates", { known: "failing" })];
    expect(exitCode({ runs: runsOf(passing, knownFailure), complete: true })).toBe(0);
    expect(exitCode({ runs: runsOf(passing, knownFailure), complete: false })).toBe(3);
    expect(exitCode({ runs: runsOf(result("errored", { known: "flaky" })), complete: true })).toBe(3);
    expect(exitCode({ runs: runsOf(passing, result("errored", { known: "flaky" })), complete: true })).toBe(0);
  });

  it("is not 0 if no valid message was accepted: all were refused with a warning, or skipped because of the answer", () => {
    const [refused, conflicting] = [
      result("warns", { verdict: "valid", answer: { verdict: "rejected", reasons: [] } }),
      result("skipped", { verdict: "valid", ...skipByStatus(409, "it is there", "") }),
    ];
    const conforming = result("conforms");
    const exitCodeOf = (...results: Result[]): number => exitCode({ runs: runsOf(...results), complete: true });
    expect(exitCodeOf(conforming, refused)).toBe(3);
    expect(exitCodeOf(conforming, conflicting)).toBe(3);
    expect(exitCodeOf(conforming, conflicting, result("conforms", { verdict: "valid" }))).toBe(0);
    expect(
      exitCodeOf(
        conforming,
        conflicting,
        result("warns", { verdict: "valid", answer: { verdict: "accepted", reasons: [] } }),
      ),
    ).toBe(0);
    // The target was sent no valid message, or is known for refusing it.
    expect(exitCodeOf(conforming, result("skipped", { verdict: "valid", why: "no endpoint is known for note" }))).toBe(
      0,
    );
    expect(exitCodeOf(conforming, { ...refused, known: "failing" })).toBe(0);
    expect(exitCodeOf(conforming, { ...refused, level: "SHOULD" })).toBe(0);
  });

  it("fails for a baseline that does not match the results, but not for another vector set", () => {
    const runs = runsOf(result("conforms"));
    const findingsOf = (kind: "stale" | "set") => ({ file: "", known: 0, findings: [{ kind, name: "", what: "" }] });
    expect(exitCode({ runs, complete: true, baseline: findingsOf("stale") })).toBe(1);
    expect(exitCode({ runs, complete: true, baseline: findingsOf("set") })).toBe(0);
  });

  it.each([
    ["must", "SHOULD", 0],
    ["should", "SHOULD", 1],
    ["should", "MAY", 0],
    ["may", "MAY", 1],
    ["should", "MUST", 1],
  ] as const)("with %s, a warning at %s gives %i", (failOn, level, exitCodeOf) => {
    expect(exitCode({ runs: runsOf(result("conforms"), result("warns", { level })), complete: true, failOn })).toBe(
      exitCodeOf,
    );
  });
});
