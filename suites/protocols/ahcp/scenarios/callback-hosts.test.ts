import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import type { HubPolicy } from "../reference/hub/hub.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const foreignHostScenarios = scenarios.filter(({ name }) => name === "destinations-foreign");

async function outcomeOf(
  policy: Partial<HubPolicy>,
  missingHook?: string,
): Promise<[outcome: string, why: string | undefined]> {
  const { setting, close } = await hubEnvironment({ profile: "production", policy });
  const hooks = Object.fromEntries(Object.entries(setting.hooks ?? {}).filter(([name]) => name !== missingHook));
  try {
    const options = { scenarios: foreignHostScenarios, setting: { ...setting, hooks, timeScale: 0.3 }, seed: 1 };
    const [result] = await playScenarios({ protocol: protocolNamed("ahcp"), ...options });
    return [result?.outcome ?? "", result?.why];
  } finally {
    await close();
  }
}

it("conforms if the hub refuses an unbound host, but accepts a bound one at the same address", async () => {
  expect(await outcomeOf({})).toEqual(["conforms", undefined]);
});

it.each<[what: string, policy: Partial<HubPolicy>, lacks: string | undefined, why: RegExp]>([
  [
    "accepts any host",
    { needsBinding: false, isBound: () => true },
    undefined,
    /is accepted if its name leads to a public/,
  ],
  [
    "refuses all hosts",
    { isBound: () => false },
    undefined,
    /and so is one at a host that was made the agent's: the hub does not accept a callback to the suite at .*: HTTP 4\d\d/,
  ],
  ["has no hook to bind a host", {}, "bind", /the hook "bind" is needed to see/],
])("is skipped if the hub %s and does not push to private addresses", async (_, policy, lacks, why) => {
  expect(await outcomeOf(policy, lacks)).toEqual(["skipped", expect.stringMatching(why)]);
});
