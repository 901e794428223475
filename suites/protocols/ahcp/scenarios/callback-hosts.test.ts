import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import type { HubPolicy } from "../reference/hub/hub.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const foreignScenarios = scenarios.filter(({ name }) => name === "destinations-foreign");

async function outcomeOf(
  policy: Partial<HubPolicy>,
  lacks?: string,
): Promise<[outcome: string, why: string | undefined]> {
  const { setting, close } = await hubEnvironment({ profile: "production", policy });
  const hooks = Object.fromEntries(Object.entries(setting.hooks ?? {}).filter(([name]) => name !== lacks));
  try {
    const options = { scenarios: foreignScenarios, setting: { ...setting, hooks, timeScale: 0.3 }, seed: 1 };
    const [result] = await playScenarios({ protocol: protocolNamed("ahcp"), ...options });
    return [result?.outcome ?? "", result?.why];
  } finally {
    await close();
  }
}

it("does not accuse a hub that refuses an unowned host, but accepts the agent's at the same address", async () => {
  expect(await outcomeOf({})).toEqual(["conforms", undefined]);
});

it.each<[what: string, policy: Partial<HubPolicy>, lacks: string | undefined, why: RegExp]>([
  [
    "takes any host",
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
  ["cannot be given a host", {}, "bind", /the hook "bind" is needed to see/],
])("concludes nothing about a hub that %s and pushes to no private address", async (_, policy, lacks, why) => {
  expect(await outcomeOf(policy, lacks)).toEqual(["skipped", expect.stringMatching(why)]);
});
