import { describe, expect, it } from "vitest";
import { type Hook, protocolNamed, type Result } from "../../../../../../schemas/index.ts";
import { partOf } from "../../../../../../schemas/part.fixture.ts";
import { hookFrom } from "../../../../../running/scenarios/hooks.ts";
import { playScenarios } from "../../../../../running/scenarios/index.ts";
import { stepsOf, walkAlong, walksOf } from "../../../../../running/scenarios/walks/index.ts";
import { live } from "../../../reference/live.ts";
import { walks as producerWalks } from "./index.ts";
import { producerWalkModel } from "./walks.ts";

const protocol = protocolNamed("aaep");
/** The number of random walks. `TOUCHSTONE_WALKS=60` plays more, `TOUCHSTONE_SEED=6` others. */
const walkCount = Number(process.env.TOUCHSTONE_WALKS ?? 6);
const seed = Number(process.env.TOUCHSTONE_SEED ?? 5);

async function playSteps(variant: string | undefined, steps: string): Promise<Result[]> {
  const { setting, close } = await live.open(variant === undefined ? {} : { variant });
  try {
    const scenario = walkAlong(producerWalkModel, stepsOf(producerWalkModel, steps));
    return await playScenarios({ protocol, scenarios: [scenario], setting, seed: steps.length });
  } finally {
    await close();
  }
}

function failuresIn(results: readonly Result[]): string[] {
  return results
    .filter(({ outcome }) => !["conforms", "skipped"].includes(outcome))
    .map(({ rule, outcome, why }) => `${rule} ${outcome}: ${why}`);
}

const twins = (live.twins ?? []).filter(({ side }) => side === "producer").map(({ name }) => name);
const testedTwins = partOf(twins, (name) => name, 3);

describe.each([undefined, ...testedTwins.cases])(`a correct producer (%s; ${testedTwins.said})`, (variant) => {
  it(`matches the model on ${walkCount} walks`, async () => {
    const { setting, close } = await live.open(variant === undefined ? {} : { variant });
    try {
      const { scenario, detours } = walksOf(producerWalkModel, { seed, walks: walkCount });
      const results = await playScenarios({ protocol, scenarios: [scenario], setting, seed });
      expect(detours).toEqual([]);
      expect(failuresIn(results)).toEqual([]);
      expect(results.filter(({ outcome }) => outcome === "conforms").length).toBeGreaterThan(results.length / 2);
    } finally {
      await close();
    }
  });
});

it("does not blame a correct producer for events of a session left open before the walk", async () => {
  const { setting, close } = await live.open();
  try {
    await hookFrom("start", setting.hooks?.start as Hook)({ task: "hanging" });
    const scenario = walkAlong(producerWalkModel, stepsOf(producerWalkModel, "start irreversible; expire"));
    const results = await playScenarios({ protocol, scenarios: [scenario], setting, seed: 1 });
    expect(failuresIn(results)).toEqual([]);
  } finally {
    await close();
  }
});

/** For each mistake, steps that reveal it, and similar steps that do not. */
const walkCases: [variant: string, rule: string, revealingSteps: string, harmlessSteps: string][] = [
  ["RPL-016-mismatched", "RPL-016", "start irreversible; reply 0 mismatched", "start irreversible; reply 0 reject"],
  [
    "RPL-009-crowd",
    "RPL-009",
    "start irreversible; start irreversible; reply 0 forged",
    "start irreversible; reply 0 forged",
  ],
  [
    "RPL-010-forgetful",
    "RPL-010",
    "start irreversible; reply 0 accept; start irreversible; reply 1 accept; start irreversible; reply 2 accept; start irreversible; again 0",
    "start irreversible; reply 0 accept; start irreversible; reply 1 accept; start irreversible; again 0",
  ],
  [
    "RPL-018-crowd",
    "RPL-018",
    "start irreversible; start irreversible; start irreversible; reply 0 accept",
    "start irreversible; start irreversible; reply 0 accept",
  ],
  [
    "CONF-031-crowd",
    "CONF-031",
    "start irreversible; start irreversible; cancel 0; again 0",
    "start irreversible; cancel 0; again 0",
  ],
  [
    "CONF-022-crowd",
    "CONF-022",
    "start irreversible; start irreversible; reply 0 reject",
    "start irreversible; reply 0 reject",
  ],
  ["ENV-026-together", "ENV-026", "start irreversible; start plain", "start plain; start plain"],
  [
    "TRN-011-narrow",
    "TRN-011",
    "join; start plain; cut; start irreversible; resume",
    "join; start irreversible; cut; reply 0 reject; resume",
  ],
  [
    "RPL-010-mistakes",
    "RPL-010",
    "start irreversible; reply 0 accept; start irreversible; again 0",
    "start irreversible; reply 0 accept",
  ],
  ["RPL-015", "RPL-015", "start irreversible; reply 0 reject; again 0", "start irreversible; reply 0 reject"],
  ["TMO-003", "TMO-003", "start irreversible; expire", "start irreversible"],
  [
    "RPL-011",
    "RPL-011",
    "start irreversible; reply 0 stale late; deliver last",
    "start irreversible; reply 0 stale lost",
  ],
];

const testedWalks = partOf(walkCases, ([variant]) => variant, 3);

describe("a broken producer", () => {
  it.each(testedWalks.cases)(
    `%s violates only AAEP-%s (${testedWalks.said})`,
    async (variant, rule, revealingSteps, harmlessSteps) => {
      const results = await playSteps(`breaks-AAEP-${variant}`, revealingSteps);
      const failures = results.filter(({ outcome }) => outcome === "violates" || outcome === "warns");
      expect(failures.map((result) => result.rule)).toEqual([`AAEP-${rule}`]);
      expect(failures[0]?.trace?.length).toBeGreaterThan(0);
      expect(failuresIn(await playSteps(`breaks-AAEP-${variant}`, harmlessSteps))).toEqual([]);
      expect(failuresIn(await playSteps(undefined, revealingSteps))).toEqual([]);
    },
  );
});

it("finds a mistake by random walks, shrinks its walk, and reproduces it by its index", {
  timeout: 300_000,
}, async () => {
  const { setting, close } = await live.open({ variant: "breaks-AAEP-RPL-020" });
  try {
    const run = { protocol, setting, seed: 1 };
    const firstPlay = await producerWalks.play({ ...run, freshness: 1, walks: 40 });
    const [detour] = firstPlay.detours;
    expect(detour).toMatchObject({ rule: "AAEP-RPL-020" });
    expect(detour?.steps).toEqual(["start irreversible", "reply 0 mismatched"]);
    const replay = await producerWalks.play({ ...run, freshness: 2, walks: 1, first: detour?.index });
    expect(replay.detours).toMatchObject([{ steps: detour?.steps, path: detour?.path }]);
  } finally {
    await close();
  }
});
