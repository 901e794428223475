import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios as allScenarios } from "./index.ts";

it("skips the comparison of attempts with different resolution_ids, and refers to AHCP-RSP-015", async () => {
  const { setting, close } = await hubEnvironment({ variant: "breaks-AHCP-RSP-015" });
  const scenarios = allScenarios.filter(({ name }) => name === "delivery-same");
  try {
    const [result] = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    expect(result).toMatchObject({ outcome: "skipped", why: expect.stringContaining("AHCP-RSP-015") });
  } finally {
    await close();
  }
});
