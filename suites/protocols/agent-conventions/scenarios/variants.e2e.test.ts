import { describe, expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { playableVariants, tryScenarios } from "../../../running/scenarios/selftest.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

/** With `TOUCHSTONE_OTHERS=all`, every variant plays every scenario. By default, it plays the scenarios of its rule and a few others. */
const extraScenarios = process.env.TOUCHSTONE_OTHERS === "all" ? {} : { others: 6 };
const seed = Number(process.env.TOUCHSTONE_SEED ?? 1);

const brokenParties = playableVariants(live, scenarios);
const { cases, said: partText } = partOf(brokenParties, ({ name }) => name);

const options = { protocol: protocolNamed("agent-conventions"), scenarios, live };

describe(`a party that breaks a rule (${partText})`, () => {
  it("exists for every rule that scenarios cover", () => {
    const rules = new Set(brokenParties.map(({ rule }) => rule));
    const coveredRules = new Set(scenarios.flatMap(({ rules }) => rules));
    expect([...coveredRules].filter((rule) => !rules.has(rule))).toEqual([]);
  });

  it.each(cases)("violates $rule and no other MUST: it $says", async (variant) => {
    expect(await tryScenarios(options, variant, { seed, ...extraScenarios })).toMatchObject({
      rule: variant.rule,
      killed: true,
      falsePositives: [],
    });
  });
});
