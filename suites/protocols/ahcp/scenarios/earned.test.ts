import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { isObject, protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/index.ts";
import type { HubPolicy } from "../reference/hub/hub.ts";
import { fetchHere } from "../reference/hub/variants/change.ts";
import { memberObject } from "../reference/hub/variants/variant.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios } from "./index.ts";

interface HubVariation {
  variant?: string;
  choices?: readonly string[];
  policy?: Partial<HubPolicy>;
}

/** Plays one scenario against this hub. Returns the outcome of one rule. */
async function outcomeOf(name: string, rule: string, variation: HubVariation): Promise<string | undefined> {
  const { setting, close } = await hubEnvironment({ ...variation, limits: { requestsPerMinute: 5000 } });
  try {
    const results = await playScenarios({
      protocol: protocolNamed("ahcp"),
      seed: 6161,
      setting: { ...setting, timeScale: 0.05 },
      scenarios: scenarios.filter((scenario) => scenario.name === name),
    });
    return results.find((result) => result.rule === rule)?.outcome;
  } finally {
    await close();
  }
}

it("warns if a hub compares changes in whole seconds, even if it also reports whole seconds", async () => {
  const party = { variant: "breaks-AHCP-GET-009-seconds", choices: ["whole-seconds"] };
  expect(await outcomeOf("reading-since", "AHCP-GET-009", party)).toBe("warns");
});

it("skips the rule if a hub repeats the time of a push only for seconds", async () => {
  const party = { variant: "breaks-AHCP-SIG-008-late", choices: ["signs-by-the-clock-once"] };
  expect(await outcomeOf("signatures-attempts", "AHCP-SIG-008", party)).toBe("skipped");
});

it("notices a late fetch of a file if all answers of the hub are slow", async () => {
  const policy: Partial<HubPolicy> = {
    onView({ context }) {
      for (const part of Array.isArray(context) ? context : [])
        if (isObject(part)) void sleep(300).then(() => fetchHere(String(memberObject(part, "file").uri)));
    },
  };
  const party = { policy, choices: ["slow-answers"] };
  expect(await outcomeOf("destinations-files", "AHCP-PRT-007", party)).toBe("violates");
});

it("lets a cancellation and an answer race even if answers are slow", async () => {
  const party = { variant: "breaks-AHCP-CAN-007", choices: ["slow-answers"] };
  expect(await outcomeOf("cancel-race", "AHCP-CAN-007", party)).toBe("violates");
  expect(await outcomeOf("cancel-race", "AHCP-CAN-007", { choices: ["slow-answers"] })).toBe("conforms");
});

it("reports a premature expiry at a leap second even if the hub shows expiries late and accepts late answers", async () => {
  const party = { variant: "breaks-AHCP-EXP-003-leap-second", choices: ["notices-late", "gives-outcome-to-late"] };
  expect(await outcomeOf("doubtful-leap-second", "AHCP-EXP-003", party)).toBe("violates");
});
