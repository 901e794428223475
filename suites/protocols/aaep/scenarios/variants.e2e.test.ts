import { describe, expect, it } from "vitest";
import { type LiveVariant, protocolNamed } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { playableVariants, tryScenarios } from "../../../running/scenarios/selftest.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const reference = { protocol: protocolNamed("aaep"), scenarios, live };
const coveredRules = new Set(scenarios.flatMap(({ rules }) => rules));
const brokenParties = playableVariants(live, scenarios);
const { cases, said: partName } = partOf(brokenParties, ({ name }) => name);

/** The number of scenarios that are played in addition to those of the rule. If it is undefined, all scenarios are played. */
const otherScenarios = process.env.TOUCHSTONE_OTHERS === "all" ? undefined : 1;
const seed = Number(process.env.TOUCHSTONE_SEED ?? 1);

describe(`an implementation that breaks a rule (${partName})`, () => {
  it("exists for exactly the rules that scenarios cover", () => {
    const rules = new Set(brokenParties.map(({ rule }) => rule));
    expect([...coveredRules].filter((rule) => !rules.has(rule))).toEqual([]);
    expect(live.variants.filter(({ rule }) => !coveredRules.has(rule))).toEqual([]);
  });

  const title = "violates $rule and no other MUST: $name, which $says";
  it.concurrent.each(cases)(title, { timeout: 300_000 }, async (variant: LiveVariant) => {
    expect(
      await tryScenarios(reference, variant, {
        seed,
        ...(otherScenarios === undefined ? {} : { others: otherScenarios }),
      }),
    ).toMatchObject({
      rule: variant.rule,
      killed: true,
      falsePositives: [],
    });
  });
});
