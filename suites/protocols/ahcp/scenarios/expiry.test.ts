import { expect, it } from "vitest";
import { type Hook, protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/index.ts";
import type { HubPolicy } from "../reference/hub/hub.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios } from "./index.ts";

/**
 * Plays a scenario against a hub that accepts actions until 8 s after a deadline. The machine delays the first `delays` actions
 * after a deadline by 9 s. Returns the outcome of one rule.
 */
async function outcomeOnSlowMachine(name: string, rule: string, delays: number): Promise<string | undefined> {
  const policy: Partial<HubPolicy> = { grace: () => 8000 };
  const { setting, close } = await hubEnvironment({ policy });
  const clock = setting.hooks?.clock as Hook;
  let remainingDelays = delays;
  const slowClock: Hook = ({ advanceMs = 0, ...otherInput }) => {
    const passesDeadline = Number(advanceMs) > 60_000;
    const delay = passesDeadline && remainingDelays-- > 0 ? 9000 : 0;
    return clock(advanceMs === 0 ? otherInput : { ...otherInput, advanceMs: Number(advanceMs) + delay });
  };
  try {
    const results = await playScenarios({
      protocol: protocolNamed("ahcp"),
      seed: 3,
      setting: { ...setting, hooks: { ...setting.hooks, clock: slowClock }, timeScale: 0.005 },
      scenarios: scenarios.filter((scenario) => scenario.name === name),
    });
    return results.find((result) => result.rule === rule)?.outcome;
  } finally {
    await close();
  }
}

it.each([
  ["expiry-cancel", "AHCP-EXP-008"],
  ["expiry-too-late", "AHCP-EXP-004"],
])(
  "%s reports a hub that accepts actions until its sweep, even if the first two actions are delayed",
  async (name, rule) => {
    expect(await outcomeOnSlowMachine(name, rule, 2)).toBe("violates");
  },
);

it.each([
  ["expiry-cancel", "AHCP-EXP-008"],
  ["expiry-too-late", "AHCP-EXP-004"],
])("%s is skipped if all actions are delayed", async (name, rule) => {
  expect(await outcomeOnSlowMachine(name, rule, 3)).toBe("skipped");
});
