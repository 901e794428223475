import { describe, expect, it } from "vitest";
import { type LiveVariant, protocolNamed } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { playableVariants, tryScenarios } from "../../../running/scenarios/selftest.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const tested = { protocol: protocolNamed("a2a"), scenarios, live };
const broken = playableVariants(live, scenarios);
const { cases, said } = partOf(broken, ({ name }) => name);

/** `TOUCHSTONE_OTHERS=99` plays every scenario against every broken implementation. By default each one plays its own scenarios and a few others. */
const others = Number(process.env.TOUCHSTONE_OTHERS ?? 1);
const seed = Number(process.env.TOUCHSTONE_SEED ?? 1);

describe(`a party that breaks a rule (${said})`, () => {
  it("exists for every rule that scenarios cover", () => {
    const rules = new Set(broken.map(({ rule }) => rule));
    const covered = new Set(scenarios.flatMap((scenario) => scenario.rules));
    expect([...covered].filter((rule) => !rules.has(rule))).toEqual([]);
    expect(live.variants.filter(({ rule }) => !covered.has(rule))).toEqual([]);
  });

  it("has a unique name, and a description", () => {
    expect(new Set(live.variants.map(({ name }) => name)).size).toBe(live.variants.length);
    for (const { says } of live.variants) expect(says).toMatch(/^[a-z].*[^.]$/);
  });

  it.concurrent.each(cases)(
    "$name is accused of it and of no other MUST: it $says",
    { timeout: 240_000 },
    async (variant: LiveVariant) => {
      expect(await tryScenarios(tested, variant, { seed, others })).toMatchObject({
        rule: variant.rule,
        killed: true,
        falsePositives: [],
      });
    },
  );
});
