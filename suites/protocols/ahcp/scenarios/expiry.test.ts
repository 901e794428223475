import { expect, it } from "vitest";
import { type Hook, protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/index.ts";
import type { HubPolicy } from "../reference/hub/hub.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios } from "./index.ts";

/** The outcomes with a hub that accepts actions on a message until 8 s after its deadline, on a machine that delays the first actions after a deadline by 9 s. */
async function outcomeOnSlowMachine(name: string, rule: string, delays: number): Promise<string | undefined> {
  const policy: Partial<HubPolicy> = { grace: () => 8000 };
  const { setting, close } = await hubEnvironment({ policy });
  const clock = setting.hooks?.clock as Hook;
  let remainingDelays = delays;
  const slow: Hook = ({ advanceMs = 0, ...otherInput }) => {
    const isFar = Number(advanceMs) > 60_000;
    const delay = isFar && remainingDelays-- > 0 ? 9000 : 0;
    return clock(advanceMs === 0 ? otherInput : { ...otherInput, advanceMs: Number(advanceMs) + delay });
  };
  try {
    const results = await playScenarios({
      protocol: protocolNamed("ahcp"),
      seed: 3,
      setting: { ...setting, hooks: { ...setting.hooks, clock: slow }, timeScale: 0.005 },
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
  "%s finds a hub that accepts actions until its sweep, although the machine delayed two of them",
  async (name, rule) => {
    expect(await outcomeOnSlowMachine(name, rule, 2)).toBe("violates");
  },
);

it.each([
  ["expiry-cancel", "AHCP-EXP-008"],
  ["expiry-too-late", "AHCP-EXP-004"],
])("%s is skipped if no action was in time to show such a hub", async (name, rule) => {
  expect(await outcomeOnSlowMachine(name, rule, 3)).toBe("skipped");
});
