import { describe, expect, it } from "vitest";
import { count, example, protocolNamed, type Result, type Run, type Scenario } from "../../../schemas/index.ts";
import { result } from "../../results/sample.fixture.ts";
import { expectedOf } from "../scenarios/index.ts";
import { type Environments, withScenarios } from "./scenarios.ts";

const protocol = protocolNamed(example.protocol);
const { rule } = example;
const target = { kind: "reference", name: "reference" };
const emptyRun: Run = {
  protocol: protocol.name,
  version: protocol.version,
  target,
  set: { digest: "", count: 0 },
  filter: { only: [], skip: [] },
  counts: count([]),
  results: [],
};

/** Plays five scenarios, and records the scenarios of each environment and whether any began before the vectors had run. */
async function play(
  environmentMembers: Partial<Environments>,
  scenario: Partial<Scenario> | ((name: string) => Partial<Scenario>) = {},
  failure?: Run["failure"],
  results: Result[] = [],
  maxWait?: number,
) {
  const playedNames: string[][] = [];
  const closedEnvironments: number[] = [];
  const reportedResults: Result[] = [];
  let isAsked = false;
  let isEarly = false;
  const scenarios = ["a", "b", "c", "d", "e"].map(
    (name, index): Scenario => ({
      name,
      says: "says",
      rules: [rule],
      needs: [],
      withinMs: 1000 * (1 + index),
      ...(typeof scenario === "function" ? scenario(name) : scenario),
      async play({ setting, expect: judge }) {
        isEarly ||= !isAsked;
        (playedNames[Number(setting.headers?.place)] as string[]).push(name);
        judge(rule, true, "");
      },
    }),
  );
  const environments: Environments = {
    sides: "all",
    open: async () => {
      const environmentIndex = playedNames.push([]) - 1;
      return {
        setting: { headers: { place: String(environmentIndex) } },
        close: async () => void closedEnvironments.push(environmentIndex),
      };
    },
    ...environmentMembers,
  };
  const ask = async () => {
    await new Promise(setImmediate);
    while (environmentMembers.atOnce !== undefined && reportedResults.length < scenarios.length)
      await new Promise(setImmediate);
    isAsked = true;
    const run = { ...emptyRun, results, ...(failure === undefined ? {} : { failure }) };
    return { run, complete: failure === undefined };
  };
  const expectedResults = expectedOf(protocol, scenarios);
  const endedRun = await withScenarios(ask, {
    protocol,
    expected: expectedResults,
    environments,
    seed: 1,
    signal: undefined,
    onResult: (result) => reportedResults.push(result),
    ...(maxWait === undefined ? {} : { maxWait }),
  });
  return {
    ...endedRun,
    names: endedRun.run.results.map(({ id }) => id.split("/")[3]),
    played: playedNames,
    closed: closedEnvironments,
    isEarly,
  };
}

describe("scenarios", () => {
  it("are played one after another, after the vectors", async () => {
    const { names, played, closed, isEarly, complete } = await play({});
    expect(names).toEqual(["a", "b", "c", "d", "e"]);
    expect({ played, closed, isEarly, complete }).toEqual({
      played: [["a", "b", "c", "d", "e"]],
      closed: [0],
      isEarly: false,
      complete: true,
    });
  });

  it("are played in parallel in separate environments, with results in order", async () => {
    const { names, played, closed, isEarly, complete } = await play({ atOnce: 2 });
    expect(names).toEqual(["a", "b", "c", "d", "e"]);
    expect({ isEarly, complete }).toEqual({ isEarly: true, complete: true });
    // Any free worker plays the next scenario, so the worker may differ, but not the scenarios, nor the order within one worker.
    expect(played.flat().sort()).toEqual(["a", "b", "c", "d", "e"]);
    for (const playedInOne of played) expect(playedInOne).toEqual([...playedInOne].sort());
    expect(closed.sort()).toEqual([0, 1]);
  });

  it("have separate environments if they are slow and several environments are allowed", async () => {
    const isSlow = (names: string) => (name: string) => (names.includes(name) ? ({ slow: true } as const) : {});
    const { played } = await play({ atOnce: 3 }, isSlow("b"));
    expect(played).toContainEqual(["b"]);
    expect(played.flat().sort()).toEqual(["a", "b", "c", "d", "e"]);
    expect((await play({ atOnce: 2 }, isSlow("bcd"))).played.flat().sort()).toEqual(["a", "b", "c", "d", "e"]);
    expect((await play({ atOnce: 9 }, isSlow("abcde"))).names).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("share one environment if some wait and the total wait is limited", async () => {
    const { played } = await play({ atOnce: 2 }, { waits: 1 }, undefined, [], 10);
    expect(played).toEqual([["a", "b", "c", "d", "e"]]);
  });

  it("have separate environments if they wait and the total wait is not limited", async () => {
    const { played } = await play({ atOnce: 3 }, (name) => (name === "b" ? { waits: 1 } : {}));
    expect(played).toContainEqual(["b"]);
    expect(played.flat().sort()).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("have no results if the target failed", async () => {
    const failure = { stage: "open", message: "is not there" };
    expect(await play({}, {}, failure)).toMatchObject({ played: [], names: [], complete: false });
    expect(await play({ atOnce: 2 }, {}, failure)).toMatchObject({ names: [], complete: false });
  });

  it("are not played against a server that did not answer any vector usably", async () => {
    const lostResult = (outcome: Result["outcome"], index: number): Result =>
      result({ id: `v/${index}/-/v`, outcome, why: "HTTP 404: nothing is there" });
    const unansweredResults = Array.from({ length: 10 }, (_, index) => lostResult("errored", index));
    const endedRun = await play({}, {}, undefined, unansweredResults);
    expect(endedRun).toMatchObject({ played: [], complete: false });
    expect(endedRun.run.failure).toEqual({
      stage: "scenarios",
      message: "none of 10 vectors got a usable answer, so no scenario was played: HTTP 404: nothing is there",
      brief: "none of 10 vectors got a usable answer, so no scenario was played",
    });
    for (const results of [
      unansweredResults.slice(1),
      [...unansweredResults, lostResult("conforms", 10)],
      [...unansweredResults.slice(1), lostResult("skipped", 10)],
    ])
      expect((await play({}, {}, undefined, results)).played).toEqual([["a", "b", "c", "d", "e"]]);
  });

  it("fail the run if no environment can be opened", async () => {
    const open = () => Promise.reject(new Error("no environment"));
    await expect(play({ open })).rejects.toThrow("no environment");
  });
});
