import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  protocolNamed,
  type Result,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
} from "../../../schemas/index.ts";
import { playScenarios } from "./run.ts";

const rule = "AHCP-VER-002";

// In other tests the guard is off, because they share the processors.
beforeAll(() => void vi.stubEnv("TOUCHSTONE_HELD_UP_MS", undefined));
afterAll(() => void vi.unstubAllEnvs());

/** Computes without a pause, so that no timer and no answer is noticed in time. */
function spin(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** Plays a scenario that acts by the number of its attempt, and returns its results. */
async function playAll(
  act: (context: ScenarioContext, attempt: number) => void | Promise<void>,
  timeScale = 1,
): Promise<{ plays: number; result: Result | undefined }> {
  let plays = 0;
  const play: Scenario["play"] = async (context) => act(context, plays++);
  const story = { name: "story", says: "says", rules: [rule], needs: [], withinMs: 5000, play };
  const setting = { timeScale };
  const [result] = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios: [story], setting, seed: 1 });
  return { plays, result };
}

const tooLate = (): never => {
  throw new TargetFailure("timed-out", "answer", "no answer in time");
};

describe("a scenario in which the suite is held up", () => {
  it("never fails the target after further plays, and says for how long it was held up", async () => {
    const { plays, result } = await playAll((context) => {
      spin(400);
      context.expect(rule, false, "came too late");
    });
    expect(plays).toBe(3);
    expect(result).toMatchObject({ outcome: "skipped", cause: { kind: "held-up" } });
    const cause = result?.cause;
    const milliseconds = cause?.kind === "held-up" ? cause.milliseconds : 0;
    expect(milliseconds).toBeGreaterThan(300);
    expect(result?.why).toContain(`held up for ${milliseconds} ms`);
  });

  it("counts as played without delay if a further play is", async () => {
    const { plays, result } = await playAll((context, attempt) => {
      if (attempt === 0) spin(400);
      context.expect(rule, false, "came too late");
    });
    expect(plays).toBe(2);
    expect(result).toMatchObject({ outcome: "violates", why: "came too late" });
  });

  it("never fails the target for a timeout either", async () => {
    const { result } = await playAll(() => {
      spin(400);
      tooLate();
    });
    expect(result).toMatchObject({ outcome: "skipped", cause: { kind: "held-up" } });
  });

  it("fails the target for a whole scenario that does not end, if the delay was short beside it", async () => {
    const { result } = await playAll(async ({ signal }) => {
      spin(400);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    }, 0.5);
    expect(result).toMatchObject({ outcome: "timed-out" });
  });

  it("still conforms if a rule was kept", async () => {
    const { plays, result } = await playAll((context) => {
      spin(400);
      context.expect(rule, true, "");
    });
    expect({ plays, outcome: result?.outcome }).toEqual({ plays: 1, outcome: "conforms" });
  });

  it("may be held up for longer if all waits are longer", async () => {
    const { result } = await playAll((context) => {
      spin(400);
      context.expect(rule, false, "came too late");
    }, 4);
    expect(result).toMatchObject({ outcome: "violates" });
  });
});

it.each<[string, (context: ScenarioContext) => void, string]>([
  ["a breach", (context) => context.expect(rule, false, "is wrong"), "violates"],
  ["a timeout", tooLate, "timed-out"],
])("%s in a scenario without delay counts at the first play", async (_, act, outcome) => {
  const { plays, result } = await playAll(act);
  expect({ plays, outcome: result?.outcome }).toEqual({ plays: 1, outcome });
});
