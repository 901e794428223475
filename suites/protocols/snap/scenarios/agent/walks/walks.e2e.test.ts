import { describe, expect, it } from "vitest";
import { protocolNamed, type Result } from "../../../../../../schemas/index.ts";
import { partOf } from "../../../../../../schemas/part.fixture.ts";
import { playScenarios } from "../../../../../running/scenarios/index.ts";
import { stepsOf, walkAlong, walksOf } from "../../../../../running/scenarios/walks/index.ts";
import { live } from "../../../reference/live.ts";
import { walks as agentWalks } from "./index.ts";
import { agent } from "./walks.ts";

const protocol = protocolNamed("snap");
/** `TOUCHSTONE_WALKS=60` and `TOUCHSTONE_SEED=6` play more and other walks. */
const walkCount = Number(process.env.TOUCHSTONE_WALKS ?? 6);
const seed = Number(process.env.TOUCHSTONE_SEED ?? 5);

async function playSteps(variant: string | undefined, steps: string): Promise<Result[]> {
  const { setting, close } = await live.open(variant === undefined ? {} : { variant });
  try {
    const scenario = walkAlong(agent, stepsOf(agent, steps));
    return await playScenarios({ protocol, scenarios: [scenario], setting, seed: steps.length });
  } finally {
    await close();
  }
}

function describeResults(results: readonly Result[], ...outcomes: readonly string[]): string[] {
  return results
    .filter(({ outcome }) => outcomes.includes(outcome))
    .map(({ rule, outcome, why }) => `${rule} ${outcome}: ${why}`);
}

const twins = (live.twins ?? []).filter(({ side }) => side === "agent").map(({ name }) => name);

const twinPart = partOf(twins, (name) => name, 3);

describe.each([undefined, ...twinPart.cases])(`a correct agent (%s; ${twinPart.said})`, (variant) => {
  it(`matches the model on ${walkCount} walks`, async () => {
    const { setting, close } = await live.open(variant === undefined ? {} : { variant });
    try {
      const { scenario } = walksOf(agent, { seed, walks: walkCount });
      const results = await playScenarios({ protocol, scenarios: [scenario], setting, seed });
      // Warnings about a SHOULD are allowed, as in scenarios.
      expect(describeResults(results, "violates", "errored", "timed-out")).toEqual([]);
      expect(results.filter(({ outcome }) => outcome === "conforms").length).toBeGreaterThan(results.length / 2);
    } finally {
      await close();
    }
  });
});

/** For each mistake: steps that reveal it, and similar steps that do not. */
const walks: [variant: string, rule: string, revealingSteps: string, harmlessSteps: string][] = [
  [
    "REPLAY-001-few",
    "REPLAY-001",
    "send plain; send plain; send plain; send plain; replay 0",
    "send plain; send plain; replay 0",
  ],
  ["REPLAY-001-streams", "REPLAY-001", "stream plain; replay 0", "send plain; replay 0"],
  ["REPLAY-001-continued", "REPLAY-001", "send asking; continue 0 twice", "send asking twice; continue 0"],
  ["REPLAY-001-minute", "REPLAY-001", "send plain ahead; wait; replay 0", "send plain; wait; replay 0"],
  ["SIG-009-socket", "SIG-009", "send plain forged socket", "send plain forged"],
  ["TIME-001-socket", "TIME-001", "send plain old socket", "send plain old"],
  ["SIG-012-repeated", "SIG-012", "send plain; replay 0", "send plain; send plain"],
  ["TASK-008-insistent", "TASK-008", "send plain; cancel 0; cancel 0", "send plain; cancel 0"],
  ["VAL-006", "VAL-006", "send working; cancel 0 forged", "send working; cancel 0"],
  ["TASK-001", "TASK-001", "send working; get 0", "send plain; get 0"],
  ["REPLAY-007", "REPLAY-007", "send plain; replay 0 socket", "send plain socket; replay 0 socket"],
  ["REPLAY-007", "REPLAY-007", "send plain; reuse 0 socket", "send plain; reuse 0"],
  ["REPLAY-003", "REPLAY-003", "send plain; reuse 0 socket", "send plain; replay 0 socket"],
  ["RCPT-001", "RCPT-001", "send plain misaddressed", "send plain"],
];

const brokenPart = partOf(walks, ([variant]) => variant, 3);

describe("a broken agent", () => {
  it.each(brokenPart.cases)(
    `%s is accused only of SNAP-%s (${brokenPart.said})`,
    async (variant, rule, revealingSteps, harmlessSteps) => {
      const badOutcomes = ["violates", "warns", "errored", "timed-out"];
      const results = await playSteps(`breaks-SNAP-${variant}`, revealingSteps);
      expect(results.filter(({ outcome }) => badOutcomes.includes(outcome)).map((result) => result.rule)).toEqual([
        `SNAP-${rule}`,
      ]);
      expect(describeResults(await playSteps(`breaks-SNAP-${variant}`, harmlessSteps), ...badOutcomes)).toEqual([]);
      expect(describeResults(await playSteps(undefined, revealingSteps), ...badOutcomes)).toEqual([]);
    },
  );
});

it("finds a broken agent with random walks, shrinks the walk, and replays it by seed and index", {
  timeout: 300_000,
}, async () => {
  const { setting, close } = await live.open({ variant: "breaks-SNAP-RCPT-001" });
  try {
    const options = { protocol, setting, seed: 1 };
    const [detour] = (await agentWalks.play({ ...options, freshness: 1, walks: 12 })).detours;
    expect(detour?.rule).toBe("SNAP-RCPT-001");
    expect(detour?.steps).toHaveLength(1);
    const replayed = await agentWalks.play({ ...options, freshness: 2, walks: 1, first: detour?.index });
    expect(replayed.detours).toMatchObject([{ steps: detour?.steps, path: detour?.path }]);
  } finally {
    await close();
  }
});
