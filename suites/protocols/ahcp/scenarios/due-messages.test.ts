import { expect, it } from "vitest";
import { protocolNamed, type Result } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/index.ts";
import type { HubPolicy } from "../reference/hub/hub.ts";
import { rightHubPolicy } from "../reference/hub/policy.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios } from "./index.ts";

/** The results of scenarios with a hub of that policy, at a two-hundredth of their waits. */
async function played(policy: Partial<HubPolicy>, names: RegExp, hasClock: boolean): Promise<string[]> {
  const { setting, close } = await hubEnvironment({ policy });
  const { clock, ...others } = setting.hooks ?? {};
  const hooks = hasClock && clock !== undefined ? { ...others, clock } : others;
  try {
    const results: Result[] = await playScenarios({
      ...{ protocol: protocolNamed("ahcp"), seed: 3, setting: { ...setting, hooks, timeScale: 0.005 } },
      scenarios: scenarios.filter(({ name }) => names.test(name)),
    });
    return results.map(({ rule, outcome, why = "" }) => `${rule} ${outcome}${why === "" ? "" : `: ${why}`}`);
  } finally {
    await close();
  }
}

const nothing: Partial<HubPolicy> = { callbackOf: () => undefined };
const notCancelled: Partial<HubPolicy> = {
  callbackOf: (entry, hub) => (entry.status === "cancelled" ? undefined : rightHubPolicy.callbackOf(entry, hub)),
};

it("a push is missing if it has not come after the hub's clock has passed two days", async () => {
  expect(await played(nothing, /^delivery-push$/, true)).toEqual([
    "AHCP-DLV-001 violates: an ask is answered, but nothing reaches its callback",
  ]);
});

it("a missing push is not certain if no push has come at all: there is no deadline", async () => {
  const [shown = ""] = await played(nothing, /^delivery-push$/, false);
  expect(shown).toMatch(/^AHCP-DLV-001 skipped: .* no push has come in 120 s, and the specification sets no bound/);
});

it("a push is missing if pushes of later messages arrive", async () => {
  expect(await played(notCancelled, /^outcomes-cancelled$/, false)).toEqual([
    "AHCP-CAN-008 violates: a cancellation is not pushed",
  ]);
});
