import { describe, expect, it } from "vitest";
import {
  protocolNamed,
  type Result,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
} from "../../../schemas/index.ts";
import type { Retry } from "../../results/retry.ts";
import { drawFor } from "./draw.ts";
import { playScenarios } from "./run.ts";

const protocol = protocolNamed("ahcp");
const must = "AHCP-VER-002";
const otherRule = "AHCP-VER-003";

/** Plays a scenario that behaves differently at each attempt, and returns its results. */
async function playWithRetry(
  act: (context: ScenarioContext, attempt: number) => void,
  retry?: Retry,
): Promise<{ tries: number; results: Result[] }> {
  let tries = 0;
  const play: Scenario["play"] = async (context) => act(context, tries++);
  const story = { name: "story", says: "says", rules: [must, otherRule], needs: [], withinMs: 5000, play };
  const results = await playScenarios({ protocol, scenarios: [story], setting: {}, seed: 1, retry });
  return { tries, results };
}

function expectBoth(context: ScenarioContext, holds: boolean): void {
  context.expect(must, holds, "is wrong");
  context.expect(otherRule, true, "");
}

const breakDown = (): never => {
  throw new TargetFailure("errored", "play", "HTTP 500", { because: { kind: "http-status", status: 500, reason: "" } });
};

describe("a failing scenario is tried again", () => {
  it("and its rule is flaky if the attempts differ", async () => {
    const { tries, results } = await playWithRetry((context, attempt) => expectBoth(context, attempt === 1), {
      count: 3,
    });
    expect(tries).toBe(2);
    expect(results).toMatchObject([
      { rule: must, outcome: "flaky", cause: { kind: "flaky", tries: ["violates", "conforms"], of: "expectation" } },
      { rule: otherRule, outcome: "conforms" },
    ]);
  });

  it("and violates if every attempt does", async () => {
    const { tries, results } = await playWithRetry((context) => expectBoth(context, false), { count: 2 });
    expect({ tries, outcomes: results.map(({ outcome }) => outcome) }).toEqual({
      tries: 3,
      outcomes: ["violates", "conforms"],
    });
  });

  it("and a violation in a later attempt counts after a breakdown", async () => {
    const { results } = await playWithRetry(
      (context, attempt) => (attempt === 0 ? breakDown() : expectBoth(context, false)),
      {
        count: 1,
      },
    );
    expect(results.map(({ outcome }) => outcome)).toEqual(["violates", "flaky"]);
  });

  it("and a single breakdown is excused if the configuration allows it", async () => {
    const { results } = await playWithRetry(
      (context, attempt) => (attempt === 0 ? breakDown() : expectBoth(context, true)),
      {
        count: 1,
        excuses: ["http-status"],
      },
    );
    expect(results[0]).toMatchObject({ outcome: "flaky", cause: { of: "http-status", excused: true } });
  });

  it("with new ids and the same draws", async () => {
    const plays: { id: string; drawn: number }[] = [];
    await playWithRetry(
      (context) => {
        plays.push({ id: context.fresh("id"), drawn: drawFor(context).between(0, 1e9) });
        expectBoth(context, false);
      },
      { count: 1 },
    );
    const [firstPlay, secondPlay] = plays;
    expect(firstPlay?.id).not.toBe(secondPlay?.id);
    expect(firstPlay?.drawn).toBe(secondPlay?.drawn);
  });

  it("but not without --retry, and not if it conforms", async () => {
    expect((await playWithRetry((context) => expectBoth(context, false))).tries).toBe(1);
    expect((await playWithRetry((context) => expectBoth(context, true), { count: 3 })).tries).toBe(1);
  });
});
