import { describe, expect, it } from "vitest";
import { type LiveVariant, protocolNamed } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { playableVariants, tryScenarios } from "../../../running/scenarios/selftest.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const options = { protocol: protocolNamed("snap"), scenarios, live };
const brokenParties = playableVariants(live, scenarios);
const { cases, said: partText } = partOf(brokenParties, ({ name }) => name);

/** `TOUCHSTONE_OTHERS=99` plays every scenario against every broken implementation; by default only its own and some others. */
const extraScenarios = Number(process.env.TOUCHSTONE_OTHERS ?? 1);
const seed = Number(process.env.TOUCHSTONE_SEED ?? 1);

describe(`an implementation that breaks a rule (${partText})`, () => {
  it("exists for exactly the rules that scenarios cover", () => {
    const rules = new Set(brokenParties.map(({ rule }) => rule));
    const coveredRules = new Set(scenarios.flatMap((scenario) => scenario.rules));
    expect([...coveredRules].filter((rule) => !rules.has(rule))).toEqual([]);
    expect(live.variants.filter(({ rule }) => !coveredRules.has(rule))).toEqual([]);
  });

  it("has a unique name, and a description", () => {
    expect(new Set(live.variants.map(({ name }) => name)).size).toBe(live.variants.length);
    for (const { says } of live.variants) expect(says).toMatch(/^[a-z].*[^.]$/);
  });

  it.concurrent.each(cases)("$name violates $rule and no other MUST: it $says", async (variant: LiveVariant) => {
    expect(await tryScenarios(options, variant, { seed, others: extraScenarios })).toMatchObject({
      rule: variant.rule,
      killed: true,
      falsePositives: [],
    });
  });
});
