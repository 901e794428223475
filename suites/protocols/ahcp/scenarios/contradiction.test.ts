import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { changeBodies } from "../reference/hub/variants/variant.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios as allScenarios } from "./index.ts";

it("blames the hub, not the hook, if the hub shows an answered message as open with a Response", async () => {
  const policy = changeBodies("read", (body) => (body.response === undefined ? body : { ...body, status: "open" }));
  const { setting, close } = await hubEnvironment({ policy });
  const scenarios = allScenarios.filter(({ name }) => name === "documents-read");
  try {
    const results = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    expect(results.find(({ rule }) => rule === "AHCP-GET-002")).toMatchObject({
      outcome: "violates",
      why: "/response is there while the message is open",
    });
    expect(results.filter(({ outcome }) => outcome === "errored")).toEqual([]);
  } finally {
    await close();
  }
});
