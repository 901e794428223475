import { describe, expect, it } from "vitest";
import { protocolNamed, type Result } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { own } from "../scenarios/all.ts";
import { ownVariants } from "./hub/variants.ts";
import { live } from "./live.ts";

/** Results of the scenarios that are about a rule, or of all that AHCP does not have. */
async function played(rule?: string, variant?: string): Promise<Result[]> {
  const { setting, close } = await live.open(variant === undefined ? {} : { variant });
  const scenarios = own.filter(({ rules }) => rule === undefined || rules.includes(rule));
  return playScenarios({ protocol: protocolNamed("ma2h"), scenarios, setting, seed: 1 }).finally(close);
}

describe("the scenarios of rules that AHCP does not have", () => {
  it("accuse a right hub of nothing, and skip nothing", async () => {
    const results = await played();
    expect(results.filter(({ outcome }) => outcome !== "conforms").map(({ id }) => id)).toEqual([]);
  }, 120_000);

  it.each(
    ownVariants.map(({ rule, name, says }) => [`breaks-${rule}${name === undefined ? "" : `-${name}`}`, rule, says]),
  )(
    "kill %s",
    async (variant, rule) => {
      const results = await played(rule, variant);
      const outcomes = results.filter((each) => each.rule === rule).map(({ outcome }) => outcome);
      expect(outcomes.some((outcome) => outcome === "violates" || outcome === "warns")).toBe(true);
    },
    120_000,
  );
});
