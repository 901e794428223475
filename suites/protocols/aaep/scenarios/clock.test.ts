import { expect, it, vi } from "vitest";
import { type Hook, protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

it("waits for the deadlines of a producer if no hook moves its timers", async () => {
  const { setting, close } = await live.open({ side: "producer" });
  let offset = 0;
  const clock: Hook = async ({ advanceMs = 0 }) => {
    offset += Number(advanceMs);
    return { now: new Date(Date.now() + offset).toISOString() };
  };
  try {
    const results = await playScenarios({
      protocol: protocolNamed("aaep"),
      scenarios: scenarios.filter(({ name }) => ["timeout-rejects", "clarification-expired"].includes(name)),
      // At this scale, waits without a clock are shorter than the deadlines of the questions.
      setting: { ...setting, timeScale: 0.5, hooks: { ...setting.hooks, clock } },
      seed: 1,
    });
    expect(results.filter(({ outcome }) => outcome !== "conforms")).toEqual([]);
    expect(results.length).toBe(3);
  } finally {
    await close();
  }
});

it("accepts timestamps of the wall clock, however far a hook has moved the deadlines", async () => {
  const { setting, close } = await live.open({ side: "producer" });
  const clock: Hook = async () => ({ now: new Date(Date.now() + 3_600_000).toISOString() });
  try {
    const results = await playScenarios({
      protocol: protocolNamed("aaep"),
      scenarios: scenarios.filter(({ name }) => name === "moments"),
      setting: { ...setting, hooks: { ...setting.hooks, clock } },
      seed: 1,
    });
    expect(results.map(({ outcome }) => outcome)).toEqual(["conforms"]);
  } finally {
    await close();
  }
});

it("does not mistake an event for an earlier one if a coarse clock stamps it like the question", async () => {
  const realNow = Date.now;
  const steppedClock = vi.spyOn(Date, "now").mockImplementation(() => Math.floor(realNow() / 15) * 15);
  const { setting, close } = await live.open({ side: "producer", choices: ["events-unnumbered", "rate-of-its-own"] });
  try {
    const results = await playScenarios({
      protocol: protocolNamed("aaep"),
      scenarios: scenarios.filter(({ name }) => name === "consent-dropped"),
      setting: { ...setting, timeScale: 0.3 },
      seed: 1,
    });
    expect(results.map(({ outcome }) => outcome)).toEqual(["conforms"]);
  } finally {
    steppedClock.mockRestore();
    await close();
  }
});
