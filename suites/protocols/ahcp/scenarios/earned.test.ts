import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { isObject, protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/index.ts";
import type { HubPolicy } from "../reference/hub/hub.ts";
import { fetchHere } from "../reference/hub/variants/change.ts";
import { memberObject } from "../reference/hub/variants/variant.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios } from "./index.ts";

interface Party {
  variant?: string;
  choices?: readonly string[];
  policy?: Partial<HubPolicy>;
}

/** The outcome for one rule of one scenario with a broken hub. */
async function outcomeOf(name: string, rule: string, variant: Party): Promise<string | undefined> {
  const { setting, close } = await hubEnvironment({ ...variant, limits: { requestsPerMinute: 5000 } });
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

it("accuses a hub that compares changes only to the second, although it writes whole seconds", async () => {
  const party = { variant: "breaks-AHCP-GET-009-seconds", choices: ["whole-seconds"] };
  expect(await outcomeOf("reading-since", "AHCP-GET-009", party)).toBe("warns");
});

it("skips the rule if a hub repeats the date of a push only for seconds", async () => {
  const party = { variant: "breaks-AHCP-SIG-008-late", choices: ["signs-by-the-clock-once"] };
  expect(await outcomeOf("signatures-attempts", "AHCP-SIG-008", party)).toBe("skipped");
});

it("notices a late fetch of a file if the hub is slow in everything", async () => {
  const policy: Partial<HubPolicy> = {
    onView({ context }) {
      for (const part of Array.isArray(context) ? context : [])
        if (isObject(part)) void sleep(300).then(() => fetchHere(String(memberObject(part, "file").uri)));
    },
  };
  const party = { policy, choices: ["slow-answers"] };
  expect(await outcomeOf("destinations-files", "AHCP-PRT-007", party)).toBe("violates");
});

it("makes a cancellation and an answer race, even if one of them takes longer", async () => {
  const party = { variant: "breaks-AHCP-CAN-007", choices: ["slow-answers"] };
  expect(await outcomeOf("cancel-race", "AHCP-CAN-007", party)).toBe("violates");
  expect(await outcomeOf("cancel-race", "AHCP-CAN-007", { choices: ["slow-answers"] })).toBe("conforms");
});

it("finds an ask that its hub lets pass at a leap second, although the hub shows it late and accepts a late answer", async () => {
  const party = { variant: "breaks-AHCP-EXP-003-leap-second", choices: ["notices-late", "gives-outcome-to-late"] };
  expect(await outcomeOf("doubtful-leap-second", "AHCP-EXP-003", party)).toBe("violates");
});
