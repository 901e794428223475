import { beforeAll, describe, expect, it } from "vitest";
import { protocolNamed } from "../../../../../../schemas/index.ts";
import { ruled } from "../../../../../packs/pack/load.ts";
import { createApp } from "../../../../../packs/reference/app.ts";
import type { ServeHandler } from "../../../../../packs/reference/serve.ts";
import { scenarios } from "../../../scenarios/index.ts";
import { credentials } from "../hub.fixture.ts";
import type { RunningHub } from "../hub.ts";
import { heapJournal } from "../journal.ts";
import { openHub, restart } from "../open.ts";
import { correctHubPolicy } from "../policy.ts";
import { serviceOf } from "../routes.ts";
import { behaviourOf } from "./behaviour/behaviour.fixture.ts";
import { hubVariants } from "./index.ts";
import type { HubVariant } from "./variant.ts";

/** Rules with scenarios. The scenarios detect the variants that break them, so they are not tested here. */
const coveredRules = new Set(scenarios.flatMap(({ rules }) => rules));
const variantsWithoutScenario = hubVariants.filter(({ rule }) => !coveredRules.has(rule));

let hub: RunningHub;
let handler: ServeHandler;
let referenceReport: string;
beforeAll(async () => {
  const service = serviceOf((context) => {
    hub = openHub(context, { credentials, timeScale: 0.01 });
    return hub;
  });
  handler = await createApp(await ruled(protocolNamed("ahcp")), service);
  referenceReport = await reportOf({});
});

/** Restarts the hub with this policy and an empty journal, and returns its behaviour report. */
async function reportOf(policy: HubVariant["policy"]): Promise<string> {
  Object.assign(hub, { policy: { ...correctHubPolicy, ...policy }, journal: heapJournal() });
  restart(hub);
  hub.log.lines.length = 0;
  hub.names.clear();
  return behaviourOf({ hub, handler });
}

describe("the hub", () => {
  it("has the same behaviour report every time", async () => {
    expect(await reportOf({})).toBe(referenceReport);
  });

  it.each(variantsWithoutScenario.map((variant) => [variant.rule, variant] as const))(
    "reports a difference if it breaks %s",
    async (_, { policy }) => {
      expect(await reportOf(policy)).not.toBe(referenceReport);
    },
  );
});
