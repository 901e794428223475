import { describe, expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { playableVariants, tryScenarios } from "../../../running/scenarios/selftest.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

/** `TOUCHSTONE_OTHERS=all` plays every scenario against every broken party; here it is its own and some others. */
const others = process.env.TOUCHSTONE_OTHERS === "all" ? {} : { others: 6 };
const seed = Number(process.env.TOUCHSTONE_SEED ?? 1);

const broken = playableVariants(live, scenarios);
const { cases, said } = partOf(broken, ({ name }) => name);

const tested = { protocol: protocolNamed("agent-conventions"), scenarios, live };

describe(`a party that breaks a rule (${said})`, () => {
  it("exists for every rule that scenarios cover", () => {
    const rules = new Set(broken.map(({ rule }) => rule));
    const covered = new Set(scenarios.flatMap(({ rules }) => rules));
    expect([...covered].filter((rule) => !rules.has(rule))).toEqual([]);
  });

  it.each(cases)("is accused of $rule and of no other MUST: it $says", async (variant) => {
    expect(await tryScenarios(tested, variant, { seed, ...others })).toMatchObject({
      rule: variant.rule,
      killed: true,
      falsePositives: [],
    });
  });
});
