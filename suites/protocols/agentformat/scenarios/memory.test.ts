import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { live } from "../reference/live.ts";
import { memoryScenarios } from "./memory.ts";

it.each([
  ["violates", []],
  ["skipped", ["lacks-react"]],
])(
  "the outcome is %s if memory under inherit is not the parent's memory, in a runtime with the choices %j",
  async (outcome, choices) => {
    const { setting, close } = await live.open({ variant: "breaks-AGF-MEM-004-heir", choices });
    try {
      const scenarios = memoryScenarios.filter(({ rules }) => rules.includes("AGF-MEM-004"));
      const results = await playScenarios({ protocol: protocolNamed("agentformat"), scenarios, setting, seed: 1 });
      expect(results.map((result) => result.outcome)).toEqual([outcome]);
    } finally {
      await close();
    }
  },
);
