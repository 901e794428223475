import { describe, expect, it } from "vitest";
import { protocolNamed, type Result } from "../../schemas/index.ts";
import { hubVariants } from "../reference/ahcp/hub/variants/index.ts";
import { nameOf } from "../reference/ahcp/hub/variants/variant.ts";
import { scenarios, stagedReference } from "./index.ts";
import { playScenarios } from "./run.ts";

const protocol = protocolNamed("ahcp");
const { ahcp = [] } = scenarios;
const covered = new Set(ahcp.flatMap(({ rules }) => rules));

/** Rules that are broken, or less than fully kept. */
function accused(results: readonly Result[], ...outcomes: Result["outcome"][]): string[] {
  return [...new Set(results.filter(({ outcome }) => outcomes.includes(outcome)).map(({ rule = "" }) => rule))];
}

describe("a hub that breaks a rule", () => {
  const broken = hubVariants.filter(({ rule }) => covered.has(rule));

  it("is there for every rule that scenarios cover", () => {
    const lacking = [...covered].filter((rule) => !broken.some((variant) => variant.rule === rule));
    expect(lacking).toEqual([]);
  });

  it.each(broken)("is accused of $rule and of no other MUST: it $says", { timeout: 300_000 }, async (variant) => {
    const { rule } = variant;
    // Bursts take long, and show nothing but limits.
    const played = ahcp.filter(({ name }) => rule.startsWith("AHCP-LIM") || !/^limits-(depth|pace)$/.test(name));
    const limits = { requestsPerMinute: 600, inboxDepth: 300 };
    const { setting, close } = await stagedReference({ variant: nameOf(variant), limits });
    try {
      const results = await playScenarios({ protocol, scenarios: played, setting, seed: 1 });
      expect(accused(results, "violates", "warns")).toContain(rule);
      expect(accused(results, "violates").filter((each) => each !== rule)).toEqual([]);
    } finally {
      await close();
    }
  });
});
