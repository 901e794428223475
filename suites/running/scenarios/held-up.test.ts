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

// The guard is off in other tests, since they run in parallel and delay each other.
beforeAll(() => void vi.stubEnv("TOUCHSTONE_HELD_UP_MS", undefined));
afterAll(() => void vi.unstubAllEnvs());

/** Computes without a pause, so that no timer and no answer is noticed in time. */
function spin(milliseconds: number): void {
  const spinUntil = performance.now() + milliseconds;
  while (performance.now() < spinUntil);
}

/** Plays a scenario that may act differently at each attempt, and returns its first result. */
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

const timeOut = (): never => {
  throw new TargetFailure("timed-out", "answer", "no answer in time");
};

describe("a scenario during a delay of the suite", () => {
  it("is skipped if every play is delayed, with the length of the delay", async () => {
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

  it("counts if a further play is not delayed", async () => {
    const { plays, result } = await playAll((context, attempt) => {
      if (attempt === 0) spin(400);
      context.expect(rule, false, "came too late");
    });
    expect(plays).toBe(2);
    expect(result).toMatchObject({ outcome: "violates", why: "came too late" });
  });

  it("is skipped if a delayed request times out", async () => {
    const { result } = await playAll(() => {
      spin(400);
      timeOut();
    });
    expect(result).toMatchObject({ outcome: "skipped", cause: { kind: "held-up" } });
  });

  it("times out if the whole scenario does not end and the delay was comparatively short", async () => {
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

  it("tolerates a longer delay if all waits are longer", async () => {
    const { result } = await playAll((context) => {
      spin(400);
      context.expect(rule, false, "came too late");
    }, 4);
    expect(result).toMatchObject({ outcome: "violates" });
  });
});

it.each<[string, (context: ScenarioContext) => void, string]>([
  ["a breach", (context) => context.expect(rule, false, "is wrong"), "violates"],
  ["a timeout", timeOut, "timed-out"],
])("%s in a scenario without delay counts at the first play", async (_, act, outcome) => {
  const { plays, result } = await playAll(act);
  expect({ plays, outcome: result?.outcome }).toEqual({ plays: 1, outcome });
});
