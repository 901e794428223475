import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../scenarios/run.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios as all } from "./index.ts";

it("the empty key is tried by an agent that has not used it, and one that was used is said to have been", async () => {
  const { setting, close } = await hubEnvironment();
  const scenarios = all.filter(({ name }) => name === "hollow-key");
  const results = [];
  try {
    for (const seed of [1, 2, 3])
      results.push(...(await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed })));
    expect(results.map(({ outcome, why }) => [outcome, why])).toEqual([
      ["conforms", undefined],
      ["conforms", undefined],
      ["skipped", "the empty key was used before, by a vector or in an earlier run"],
    ]);
  } finally {
    await close();
  }
});
