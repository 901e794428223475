import { describe, expect, it } from "vitest";
import { type Hook, protocolNamed, type Result, TargetFailure } from "../../../../../schemas/index.ts";
import { playScenarios } from "../../../../running/scenarios/index.ts";
import { hubEnvironment } from "../../reference/live.ts";
import { drawRounds } from "./draw.ts";
import { historiesOf } from "./histories.ts";

const protocol = protocolNamed("ahcp");
const allRules = historiesOf({ seed: 1, rounds: 1 }).flatMap(({ rules }) => rules);

async function playWith(variant: string | undefined, seed: number, rounds: number, about = "AHCP"): Promise<Result[]> {
  const { setting, close } = await hubEnvironment({
    limits: { requestsPerMinute: 100_000 },
    ...(variant === undefined ? {} : { variant }),
  });
  try {
    const scenarios = historiesOf({ seed, rounds }).filter(({ rules }) => rules.join(" ").includes(about));
    return await playScenarios({ protocol, scenarios, setting, seed });
  } finally {
    await close();
  }
}

it("reports that a correct hub conforms to every rule", async () => {
  for (let seed = 1; seed <= 2; seed++) {
    const results = await playWith(undefined, seed, 2);
    expect(results.map(({ rule, outcome, why }) => [rule, outcome, why])).toEqual(
      allRules.map((rule) => [rule, "conforms", undefined]),
    );
  }
});

it("reports no violation if answers of a correct hub are lost in transit", async () => {
  const { setting, close } = await hubEnvironment({ limits: { requestsPerMinute: 100_000 } });
  let calls = 0;
  const workingHook = setting.hooks?.resolve as Hook;
  const resolve: Hook = async (input) => {
    const answer = await workingHook(input);
    calls += 1;
    // The first calls test the hook and play the sequences of a single party.
    if (calls > 9 && calls % 3 === 1) throw new TargetFailure("errored", "hook", "the answer was lost");
    return answer;
  };
  try {
    const scenarios = historiesOf({ seed: 4, rounds: 2 }).filter(({ rules }) => rules.includes("AHCP-LIF-003"));
    const environment = { ...setting, hooks: { ...setting.hooks, resolve } };
    const results = await playScenarios({ protocol, scenarios, setting: environment, seed: 4 });
    expect(calls).toBeGreaterThan(20);
    expect(results.filter(({ outcome }) => outcome === "violates")).toEqual([]);
    expect(results.map(({ outcome }) => outcome)).toContain("conforms");
  } finally {
    await close();
  }
});

it("schedules the same operations for the same seed", async () => {
  const parties = [{ process: "p", acts: ["read", "cancel"] as const }];
  const scripts = async (seed: number) =>
    (await drawRounds(parties, { seed, rounds: 4, asks: 3, spreadMs: 5, pause: 5 })).map((round) => [
      round.scripts,
      round.plan.offsets,
    ]);
  expect(await scripts(1)).toEqual(await scripts(1));
  expect(await scripts(1)).not.toEqual(await scripts(2));
});

describe("reports a broken hub for its rule alone, with at most five operations", () => {
  it.each(allRules)("for %s", async (rule) => {
    const results = await playWith(`breaks-${rule}`, 1, 8, rule);
    const violations = results.filter(({ outcome }) => outcome === "violates");
    expect(violations.map((result) => result.rule)).toEqual([rule]);
    const [, ...lines] = (violations[0]?.why ?? "").split("\n");
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThanOrEqual(5);
    for (const line of lines)
      expect(line).toMatch(/^[\d.]+-[\d.]+ ms (?:agent|operator|console|clock)[^:]*: .+ -> .+$/);
  });
});
