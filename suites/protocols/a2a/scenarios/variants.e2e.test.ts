import { describe, expect, it } from "vitest";
import { type LiveVariant, protocolNamed } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { playableVariants, tryScenarios } from "../../../running/scenarios/selftest.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const subject = { protocol: protocolNamed("a2a"), scenarios, live };
const variants = playableVariants(live, scenarios);
const { cases, said } = partOf(variants, ({ name }) => name);

/** The number of other scenarios to play against each broken implementation. `TOUCHSTONE_OTHERS=99` plays all of them. */
const otherScenarioCount = Number(process.env.TOUCHSTONE_OTHERS ?? 1);
const seed = Number(process.env.TOUCHSTONE_SEED ?? 1);

describe(`an implementation that breaks a rule (${said})`, () => {
  it("exists for every rule that scenarios cover", () => {
    const brokenRules = new Set(variants.map(({ rule }) => rule));
    const coveredRules = new Set(scenarios.flatMap((scenario) => scenario.rules));
    expect([...coveredRules].filter((rule) => !brokenRules.has(rule))).toEqual([]);
    expect(live.variants.filter(({ rule }) => !coveredRules.has(rule))).toEqual([]);
  });

  it("has a unique name, and a description", () => {
    expect(new Set(live.variants.map(({ name }) => name)).size).toBe(live.variants.length);
    for (const { says } of live.variants) expect(says).toMatch(/^[a-z].*[^.]$/);
  });

  it.concurrent.each(cases)(
    "$name fails its own rule and no other MUST: it $says",
    { timeout: 240_000 },
    async (variant: LiveVariant) => {
      expect(await tryScenarios(subject, variant, { seed, others: otherScenarioCount })).toMatchObject({
        rule: variant.rule,
        killed: true,
        falsePositives: [],
      });
    },
  );
});
