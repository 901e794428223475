import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import type { HubPolicy } from "../reference/hub/hub.ts";
import { fault } from "../reference/hub/reply.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios as allScenarios } from "./index.ts";

it("conforms if a hub refuses long keys and keys with unusual characters", async () => {
  const policy: Partial<HubPolicy> = {
    refuseContent: ({ idempotency_key: key = "key" }) =>
      /^[!-~]{1,64}$/.test(String(key)) ? undefined : fault("invalid_field", "an odd key"),
  };
  const { setting, close } = await hubEnvironment({ policy });
  const scenarios = allScenarios.filter(({ name }) => name === "idempotency-other-keys" || name === "reading-echo");
  try {
    const results = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    expect(results.map(({ outcome }) => outcome)).toEqual(["conforms", "conforms", "conforms", "conforms"]);
  } finally {
    await close();
  }
});
