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

/** The outcome on one rule of one scenario with a broken hub. */
async function outcomeOf(name: string, rule: string, party: Party): Promise<string | undefined> {
  const { setting, close } = await hubEnvironment({ ...party, limits: { requestsPerMinute: 5000 } });
  try {
    const results = await playScenarios({
      ...{ protocol: protocolNamed("ahcp"), seed: 6161, setting: { ...setting, timeScale: 0.05 } },
      scenarios: scenarios.filter((each) => each.name === name),
    });
    return results.find((each) => each.rule === rule)?.outcome;
  } finally {
    await close();
  }
}

it("a hub that compares changes to the second is found although its times are in whole seconds", async () => {
  const party = { variant: "breaks-AHCP-GET-009-seconds", choices: ["whole-seconds"] };
  expect(await outcomeOf("reading-since", "AHCP-GET-009", party)).toBe("warns");
});

it("a date of pushes that is kept for seconds only shows nothing of how long it would be kept", async () => {
  const party = { variant: "breaks-AHCP-SIG-008-late", choices: ["signs-by-the-clock-once"] };
  expect(await outcomeOf("signatures-attempts", "AHCP-SIG-008", party)).toBe("skipped");
});

it("a late fetch of a file is noticed if the hub is slow in everything", async () => {
  const policy: Partial<HubPolicy> = {
    viewing({ context }) {
      for (const part of Array.isArray(context) ? context : [])
        if (isObject(part)) void sleep(300).then(() => fetchHere(String(memberObject(part, "file").uri)));
    },
  };
  const party = { policy, choices: ["slow-answers"] };
  expect(await outcomeOf("destinations-files", "AHCP-PRT-007", party)).toBe("violates");
});

it("a cancellation and an answer meet at a hub, though one of both ways there is longer", async () => {
  const party = { variant: "breaks-AHCP-CAN-007", choices: ["slow-answers"] };
  expect(await outcomeOf("cancel-race", "AHCP-CAN-007", party)).toBe("violates");
  expect(await outcomeOf("cancel-race", "AHCP-CAN-007", { choices: ["slow-answers"] })).toBe("conforms");
});

it("an ask that its hub lets pass at a leap second is found, though the hub is late to show it and has a late answer pass", async () => {
  const party = { variant: "breaks-AHCP-EXP-003-leap-second", choices: ["notices-late", "gives-outcome-to-late"] };
  expect(await outcomeOf("doubtful-leap-second", "AHCP-EXP-003", party)).toBe("violates");
});
