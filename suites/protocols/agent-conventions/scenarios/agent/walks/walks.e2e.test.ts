import { describe, expect, it } from "vitest";
import { type Environment, protocolNamed, type Result } from "../../../../../../schemas/index.ts";
import { playScenarios } from "../../../../../running/scenarios/index.ts";
import { stepsOf, walkAlong, walksOf } from "../../../../../running/scenarios/walks/index.ts";
import { live } from "../../../reference/live.ts";
import { walks } from "./index.ts";
import { agentModel } from "./walks.ts";

const protocol = protocolNamed("agent-conventions");
/** For example, `TOUCHSTONE_WALKS=200` plays more walks, and `TOUCHSTONE_SEED=6` different ones. */
const walkCount = Number(process.env.TOUCHSTONE_WALKS ?? 40);
const seed = Number(process.env.TOUCHSTONE_SEED ?? 5);
const badOutcomes = ["violates", "warns", "errored", "timed-out"];

async function withAgent<Value>(
  { variant, choices = [] }: { variant?: string | undefined; choices?: readonly string[] },
  play: (setting: Environment["setting"]) => Promise<Value>,
): Promise<Value> {
  const { setting, close } = await live.open({ side: "agent", choices, ...(variant === undefined ? {} : { variant }) });
  return play(setting).finally(close);
}

function formatViolations(results: readonly Result[]): string[] {
  return results
    .filter(({ outcome }) => badOutcomes.includes(outcome))
    .map(({ rule, outcome, why }) => `${rule} ${outcome}: ${why}`);
}

const choiceSets: readonly (readonly string[])[] = [
  [],
  ["drops-unknown", "acks-by-message", "says-after-1000ms", "handles-once", "fails-the-task", "whole-seconds"],
  ["escalates-unknown", "warnings-in-two-steps", "deals-after-100ms", "delivers-twice", "acknowledges-all"],
  ["reports-to-tournant", "retries-what-may-pass", "blocked-upon-trouble", "copies-reports", "says-by-another-clock"],
];

describe.each(choiceSets)("a conforming agent (%s …)", (...choices) => {
  it.concurrent(`matches the model on ${walkCount} walks`, { timeout: 60_000 + walkCount * 5000 }, async () => {
    const { scenario } = walksOf(agentModel, { seed, walks: walkCount });
    const results = await withAgent({ choices }, (setting) =>
      playScenarios({ protocol, scenarios: [scenario], setting, seed }),
    );
    expect(formatViolations(results)).toEqual([]);
    expect(results.filter(({ outcome }) => outcome !== "conforms").map(({ rule }) => rule)).toEqual([]);
  });
});

it("reports no violation of a conforming agent without a clock and a work record", { timeout: 60_000 }, async () => {
  const { scenario } = walksOf(agentModel, { seed, walks: 3 });
  const results = await withAgent({}, ({ hooks: { clock: _, worked: __, ...hooks } = {}, ...setting }) =>
    playScenarios({ protocol, scenarios: [scenario], setting: { ...setting, hooks }, seed }),
  );
  expect(formatViolations(results)).toEqual([]);
});

/** For each variant: a walk that reveals it, and a similar walk that does not. */
const variantWalks: [variant: string, rule: string, revealing: string, harmless: string][] = [
  ["RECV-001-again", "RECV-001", "broken lacking twice", "broken lacking; broken odd"],
  ["RECV-001-handled", "RECV-001", "broken odd", "assign plain"],
  ["RECV-002", "RECV-002", "misaddressed", "assign plain twice"],
  ["RECV-004-heard", "RECV-004", "assign plain late; update 0; update 0", "assign plain late; update 0; deliver last"],
  ["RECV-004", "RECV-004", "assign plain lost; update 0", "assign plain; update 0"],
  ["RECV-004", "RECV-004", "stray", "stray lost"],
  ["RECV-004-heard", "RECV-004", "stray; update 0", "stray; stray"],
  ["RECV-005", "RECV-005", "complain; complain", "complain lost; complain lost"],
  ["CUE-003", "CUE-003", "warn; standby 0", "warn; standby 0 late; stop; deliver last"],
  ["CUE-004", "CUE-004", "warn; standby 0; go 0", "warn; standby 0 late; go 0; deliver last"],
  ["CUE-006-last", "CUE-006", "assign steady; assign steady; stop", "assign steady; stop; assign steady"],
  ["CUE-006", "CUE-006", "warn; standby 0; go 0; stop", "warn; standby 0; go 0 lost; stop"],
  ["HAND-001-again", "HAND-001", "assign handoff twice", "assign handoff; assign handoff"],
  ["JID-007-others", "JID-007", "assign missing; assign plain", "assign missing; assign plain lost"],
  ["JID-001", "JID-001", "assign missing", "assign invariant; wait"],
];

describe("a broken agent", () => {
  const playSteps = (variant: string | undefined, steps: string): Promise<Result[]> => {
    const scenarios = [walkAlong(agentModel, stepsOf(agentModel, steps))];
    return withAgent({ variant }, (setting) =>
      playScenarios({ protocol, scenarios, setting: { ...setting, timeScale: 0.1 }, seed: steps.length }),
    );
  };

  it.concurrent.each(variantWalks)(
    "%s violates only CONV-%s",
    { timeout: 60_000 },
    async (variant, rule, revealing, harmless) => {
      const results = await playSteps(`breaks-CONV-${variant}`, revealing);
      expect(results.filter(({ outcome }) => badOutcomes.includes(outcome)).map((result) => result.rule)).toEqual([
        `CONV-${rule}`,
      ]);
      expect(formatViolations(await playSteps(`breaks-CONV-${variant}`, harmless))).toEqual([]);
      expect(formatViolations(await playSteps(undefined, revealing))).toEqual([]);
    },
  );
});

/** For each variant, the shortest walks that reveal it. */
const shortestWalks: [variant: string, steps: RegExp][] = [
  [
    "RECV-004-heard",
    /^(?:stray|assign \w+ (?:late|lost);update 0);update 0$|^assign \w+ (?:late|lost);update 0 twice$|^stray twice$/,
  ],
  ["CUE-006-last", /^(?:assign|warn|again|go|standby)[^;]*;[^;]*;stop$/],
  ["HAND-001-again", /^assign handoff(?: twice|;again 0)$/],
  ["JID-007-others", /^assign (?:missing|invariant);(?:assign \w+|warn;standby \d;go \d)$/],
];

it.concurrent.each(shortestWalks)(
  "%s is found by random walks, shrunk, and found again by the walk's index",
  async (variant, steps) => {
    await withAgent({ variant: `breaks-CONV-${variant}` }, async (setting) => {
      const options = { protocol, setting: { ...setting, timeScale: 0.1 }, seed: 3 };
      const [detour] = (await walks.play({ ...options, freshness: 1, walks: 60 })).detours;
      expect(`breaks-${detour?.rule}`).toBe(`breaks-CONV-${variant.replace(/-\w+$/, "")}`);
      expect(detour?.steps.join(";")).toMatch(steps);
      const replayed = await walks.play({ ...options, freshness: 2, walks: 1, first: detour?.index });
      // Earlier walks may affect which of several equally short walks is found.
      const results = replayed.detours.map(({ rule, steps }) => [rule, steps.length]);
      expect(results).toEqual([[detour?.rule, detour?.steps.length]]);
    });
  },
);
