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
const other = "AHCP-VER-003";

/** Plays a scenario that behaves differently at each attempt, and returns its results. */
async function played(
  act: (context: ScenarioContext, attempt: number) => void,
  retry?: Retry,
): Promise<{ tries: number; results: Result[] }> {
  let tries = 0;
  const play: Scenario["play"] = async (context) => act(context, tries++);
  const story = { name: "story", says: "says", rules: [must, other], needs: [], withinMs: 5000, play };
  const results = await playScenarios({ protocol, scenarios: [story], setting: {}, seed: 1, retry });
  return { tries, results };
}

function both(context: ScenarioContext, holds: boolean): void {
  context.expect(must, holds, "is wrong");
  context.expect(other, true, "");
}

const failing = (): never => {
  throw new TargetFailure("errored", "play", "HTTP 500", { because: { kind: "http-status", status: 500, reason: "" } });
};

describe("a failing scenario is tried again", () => {
  it("and its rule is flaky if the attempts differ", async () => {
    const { tries, results } = await played((context, attempt) => both(context, attempt === 1), { count: 3 });
    expect(tries).toBe(2);
    expect(results).toMatchObject([
      { rule: must, outcome: "flaky", cause: { kind: "flaky", tries: ["violates", "conforms"], of: "expectation" } },
      { rule: other, outcome: "conforms" },
    ]);
  });

  it("and violates if every attempt does", async () => {
    const { tries, results } = await played((context) => both(context, false), { count: 2 });
    expect({ tries, outcomes: results.map(({ outcome }) => outcome) }).toEqual({
      tries: 3,
      outcomes: ["violates", "conforms"],
    });
  });

  it("and a violation after a breakdown counts", async () => {
    const { results } = await played((context, attempt) => (attempt === 0 ? failing() : both(context, false)), {
      count: 1,
    });
    expect(results.map(({ outcome }) => outcome)).toEqual(["violates", "flaky"]);
  });

  it("and a single breakdown is excused if the configuration says so", async () => {
    const { results } = await played((context, attempt) => (attempt === 0 ? failing() : both(context, true)), {
      count: 1,
      excuses: ["http-status"],
    });
    expect(results[0]).toMatchObject({ outcome: "flaky", cause: { of: "http-status", excused: true } });
  });

  it("with new ids and the same draws", async () => {
    const seen: { id: string; drawn: number }[] = [];
    await played(
      (context) => {
        seen.push({ id: context.fresh("id"), drawn: drawFor(context).between(0, 1e9) });
        both(context, false);
      },
      { count: 1 },
    );
    const [first, second] = seen;
    expect(first?.id).not.toBe(second?.id);
    expect(first?.drawn).toBe(second?.drawn);
  });

  it("but not without --retry, and not if it conforms", async () => {
    expect((await played((context) => both(context, false))).tries).toBe(1);
    expect((await played((context) => both(context, true), { count: 3 })).tries).toBe(1);
  });
});
