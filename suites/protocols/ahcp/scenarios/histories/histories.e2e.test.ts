import { describe, expect, it } from "vitest";
import { protocolNamed, type Result } from "../../../../../schemas/index.ts";
import { playScenarios } from "../../../../scenarios/index.ts";
import { stagedHub } from "../../reference/live.ts";
import { historiesOf } from "./histories.ts";

const protocol = protocolNamed("ahcp");
const all = historiesOf({ seed: 1, rounds: 1 }).flatMap(({ rules }) => rules);

async function played(variant: string | undefined, seed: number, rounds: number, about = "AHCP"): Promise<Result[]> {
  const { setting, close } = await stagedHub({
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

it("a right hub is never accused, and every rule is shown", { timeout: 120_000 }, async () => {
  for (let seed = 1; seed <= 2; seed++) {
    const results = await played(undefined, seed, 2);
    expect(results.map(({ rule, outcome, why }) => [rule, outcome, why])).toEqual(
      all.map((rule) => [rule, "conforms", undefined]),
    );
  }
});

describe("a broken hub is found out, and accused of nothing else", () => {
  it.each(all)("%s", { timeout: 120_000 }, async (rule) => {
    const results = await played(`breaks-${rule}`, 1, 8, rule);
    const accused = results.filter(({ outcome }) => outcome === "violates");
    expect(accused.map((result) => result.rule)).toEqual([rule]);
    const [, ...lines] = (accused[0]?.why ?? "").split("\n");
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThanOrEqual(5);
    for (const line of lines)
      expect(line).toMatch(/^[\d.]+-[\d.]+ ms (?:agent|operator|console|clock)[^:]*: .+ -> .+$/);
  });
});
