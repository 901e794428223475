import { describe, expect, it } from "vitest";
import { protocolNamed, type Result } from "../../../../../schemas/index.ts";
import { partOf } from "../../../../../schemas/part.fixture.ts";
import { playScenarios } from "../../../../running/scenarios/index.ts";
import { stepsOf, walkAlong, walksOf } from "../../../../running/scenarios/walks/index.ts";
import { hubEnvironment } from "../../reference/live.ts";
import { walks as hubWalks } from "./index.ts";
import { hub } from "./walks.ts";

const protocol = protocolNamed("ahcp");

async function runWalks(variant: string | undefined, walks: number, seed = 1): ReturnType<typeof hubWalks.play> {
  const { setting, close } = await hubEnvironment(variant === undefined ? {} : { variant });
  try {
    const { scenario, detours } = walksOf(hub, { seed, walks });
    const results = await playScenarios({ protocol, scenarios: [scenario], setting, seed });
    return { results, detours };
  } finally {
    await close();
  }
}

function violatedRules(results: readonly Result[]): (string | undefined)[] {
  return results.filter(({ outcome }) => outcome === "violates" || outcome === "warns").map(({ rule }) => rule);
}

it("reports that a correct hub conforms to every rule in 60 walks", { timeout: 300_000 }, async () => {
  const { results, detours } = await runWalks(undefined, 60);
  expect(detours).toEqual([]);
  expect(results.filter(({ outcome }) => outcome !== "conforms")).toEqual([]);
});

describe("walks of a broken hub", () => {
  const variants = [
    ["AHCP-IDM-001", 2],
    ["AHCP-IDM-003", 2],
    ["AHCP-IDM-003-overwrites", 2],
    ["AHCP-IDM-005", 2],
    ["AHCP-LIF-002", 3],
    ["AHCP-LIF-005", 2],
    ["AHCP-CAN-002", 2],
    ["AHCP-CAN-004", 3],
    ["AHCP-EXP-006", 3],
    ["AHCP-EXP-007", 3],
    ["AHCP-DUR-001", 2],
    ["AHCP-DUR-005", 3],
  ] as const;
  const { cases, said: partText } = partOf(variants, ([name]) => name, 3);
  it.each(cases)(
    `report a hub that breaks %s for this rule alone, with at most %i steps (${partText})`,
    async (variant, steps) => {
      const rule = variant.slice(0, "AHCP-IDM-003".length);
      const { results, detours } = await runWalks(`breaks-${variant}`, 30);
      expect(violatedRules(results)).toEqual([rule]);
      expect(detours).toMatchObject([{ rule }]);
      expect(detours[0]?.steps.length).toBeLessThanOrEqual(steps);
      expect(results.find((result) => result.rule === rule)?.exchanges?.length).toBeGreaterThan(0);
    },
  );
});

it("repeats a walk from its seed or from its steps", async () => {
  const { setting, close } = await hubEnvironment({ variant: "breaks-AHCP-CAN-004" });
  try {
    const firstPlay = await hubWalks.play({ protocol, setting, seed: 1, freshness: 1, walks: 20, first: 0 });
    const [detour] = firstPlay.detours;
    expect(firstPlay.results.map(({ id }) => id)).toContain(`ahcp/0.3/scenarios/walk-${detour?.index}/AHCP-CAN-004`);
    const repeatedPlay = await hubWalks.play({
      protocol,
      setting,
      seed: 1,
      freshness: 2,
      walks: 1,
      first: detour?.index,
    });
    expect(repeatedPlay.detours).toMatchObject([{ steps: detour?.steps, path: detour?.path }]);
    const playSteps = (steps: string) =>
      playScenarios({ protocol, scenarios: [walkAlong(hub, stepsOf(hub, steps))], setting, seed: steps.length });
    expect(violatedRules(await playSteps("submit ask; cancel 0; cancel 0"))).toEqual(["AHCP-CAN-004"]);
    expect(violatedRules(await playSteps("submit ask; cancel 0; poll 0"))).toEqual([]);
  } finally {
    await close();
  }
});
