import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios as all } from "./index.ts";

it("skips the comparison of attempts with several resolution_ids, and names the rule about them", async () => {
  const { setting, close } = await hubEnvironment({ variant: "breaks-AHCP-RSP-015" });
  const scenarios = all.filter(({ name }) => name === "delivery-same");
  try {
    const [result] = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    expect(result).toMatchObject({ outcome: "skipped", why: expect.stringContaining("AHCP-RSP-015") });
  } finally {
    await close();
  }
});
