import { describe, expect, it } from "vitest";
import { type LiveVariant, protocolNamed } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { playableVariants, tryScenarios } from "../../../running/scenarios/selftest.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const tested = { protocol: protocolNamed("aaep"), scenarios, live };
const covered = new Set(scenarios.flatMap(({ rules }) => rules));
const broken = playableVariants(live, scenarios);
const { cases, said } = partOf(broken, ({ name }) => name);

/** Without a number, every scenario is played against every variant. */
const others = process.env.TOUCHSTONE_OTHERS === "all" ? undefined : 1;
const seed = Number(process.env.TOUCHSTONE_SEED ?? 1);

describe(`an implementation that breaks a rule (${said})`, () => {
  it("exists for every rule that scenarios cover, and for no other", () => {
    const rules = new Set(broken.map(({ rule }) => rule));
    expect([...covered].filter((rule) => !rules.has(rule))).toEqual([]);
    expect(live.variants.filter(({ rule }) => !covered.has(rule))).toEqual([]);
  });

  const title = "is accused of $rule and of no other MUST: $name, which $says";
  it.concurrent.each(cases)(title, { timeout: 300_000 }, async (variant: LiveVariant) => {
    expect(await tryScenarios(tested, variant, { seed, ...(others === undefined ? {} : { others }) })).toMatchObject({
      rule: variant.rule,
      killed: true,
      falsePositives: [],
    });
  });
});
