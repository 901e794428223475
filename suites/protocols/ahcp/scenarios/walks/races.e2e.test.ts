import { describe, expect, it } from "vitest";
import { type JsonObject, protocolNamed } from "../../../../../schemas/index.ts";
import { partOf } from "../../../../../schemas/part.fixture.ts";
import { playScenarios } from "../../../../running/scenarios/index.ts";
import { plansFor } from "../../../../running/scenarios/launch.ts";
import type { HubOptions } from "../../reference/hub/start.ts";
import { withoutMembers } from "../../reference/hub/variants/variant.ts";
import { hubEnvironment } from "../../reference/live.ts";
import { racesOf } from "./races.ts";

const protocol = protocolNamed("ahcp");
const racingRules = ["AHCP-IDM-007", "AHCP-IDM-008", "AHCP-LIF-003", "AHCP-CAN-007", "AHCP-LIF-004"];

async function runRaces(options: HubOptions): ReturnType<typeof playScenarios> {
  const { setting, close } = await hubEnvironment(options);
  try {
    return await playScenarios({ protocol, scenarios: racesOf({ seed: 1, rounds: 6 }), setting, seed: 1 });
  } finally {
    await close();
  }
}

describe("races", () => {
  it("have one winner if the hub is correct", async () => {
    const results = await runRaces({});
    expect(results.map(({ rule, outcome }) => [rule, outcome])).toEqual(racingRules.map((rule) => [rule, "conforms"]));
  });

  const { cases, said: partText } = partOf(racingRules, (rule) => rule, 3);
  it.each(cases)(`report the hub that breaks %s for this rule alone (${partText})`, async (rule) => {
    const results = await runRaces({ variant: `breaks-${rule}` });
    expect(results.filter(({ outcome }) => outcome === "violates").map((result) => result.rule)).toEqual([rule]);
  });

  it("report a read that shows an ended message without its Response", async () => {
    const readMessages = new WeakSet<object>();
    const results = await runRaces({
      policy: {
        reply(reply, { route, entry }) {
          if (route !== "read" || entry === undefined || entry.status === "open" || readMessages.has(entry))
            return reply;
          readMessages.add(entry);
          return { ...reply, body: withoutMembers(reply.body as JsonObject, "response") };
        },
      },
    });
    expect(results.find(({ rule }) => rule === "AHCP-LIF-003")?.why).toMatch(
      /at once: some read that it had ended without the resolution_id of a Response$/,
    );
  });

  it("start requests in an order that depends on the seed", async () => {
    const offsets = async (seed: number) => (await plansFor(seed, 3, 5, 9)).map((plan) => plan.offsets);
    expect(await offsets(1)).toEqual(await offsets(1));
    expect(await offsets(1)).not.toEqual(await offsets(2));
  });
});
