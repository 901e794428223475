import { expect, it } from "vitest";
import { protocolNamed, type Result } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/index.ts";
import type { HubPolicy } from "../reference/hub/hub.ts";
import { correctHubPolicy } from "../reference/hub/policy.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios } from "./index.ts";

/** Plays scenarios against a hub with this policy. All waits are 200 times shorter. */
async function playWith(policy: Partial<HubPolicy>, names: RegExp, hasClock: boolean): Promise<string[]> {
  const { setting, close } = await hubEnvironment({ policy });
  const { clock, ...otherHooks } = setting.hooks ?? {};
  const hooks = hasClock && clock !== undefined ? { ...otherHooks, clock } : otherHooks;
  try {
    const results: Result[] = await playScenarios({
      protocol: protocolNamed("ahcp"),
      seed: 3,
      setting: { ...setting, hooks, timeScale: 0.005 },
      scenarios: scenarios.filter(({ name }) => names.test(name)),
    });
    return results.map(({ rule, outcome, why = "" }) => `${rule} ${outcome}${why === "" ? "" : `: ${why}`}`);
  } finally {
    await close();
  }
}

const pushesNothing: Partial<HubPolicy> = { callbackOf: () => undefined };
const withoutCancellations: Partial<HubPolicy> = {
  callbackOf: (entry, hub) => (entry.status === "cancelled" ? undefined : correctHubPolicy.callbackOf(entry, hub)),
};

it("reports a missing push after two days by the hub's clock", async () => {
  expect(await playWith(pushesNothing, /^delivery-push$/, true)).toEqual([
    "AHCP-DLV-001 violates: an ask is answered, but nothing reaches its callback",
  ]);
});

it("skips the rule if no push arrives and there is no clock, because the specification sets no bound", async () => {
  const [firstResult = ""] = await playWith(pushesNothing, /^delivery-push$/, false);
  expect(firstResult).toMatch(
    /^AHCP-DLV-001 skipped: .* no push has arrived in 120 s, and the specification sets no bound/,
  );
});

it("reports a missing push if pushes of later messages arrive", async () => {
  expect(await playWith(withoutCancellations, /^outcomes-cancelled$/, false)).toEqual([
    "AHCP-CAN-008 violates: a cancellation is not pushed",
  ]);
});
