import { describe, expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { tryScenarios } from "../../../running/scenarios/selftest.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

/** With `TOUCHSTONE_OTHERS=all`, every variant plays every scenario. By default, it plays the scenarios of its rule and a few others. */
const extraScenarios = process.env.TOUCHSTONE_OTHERS === "all" ? {} : { others: 6 };
const seed = Number(process.env.TOUCHSTONE_SEED ?? 1);

const { cases, said: partText } = partOf(live.variants, ({ name }) => name);
const options = { protocol: protocolNamed("agentformat"), scenarios, live };

describe(`a runtime that breaks a rule (${partText})`, () => {
  it("exists for every rule that scenarios cover", () => {
    const brokenRules = new Set(live.variants.map(({ rule }) => rule));
    const coveredRules = new Set(scenarios.flatMap(({ rules }) => rules));
    expect([...coveredRules].filter((rule) => !brokenRules.has(rule))).toEqual([]);
  });

  it.each(cases)("violates $rule and no other MUST: it $says", async (variant) => {
    expect(await tryScenarios(options, variant, { seed, ...extraScenarios })).toMatchObject({
      rule: variant.rule,
      killed: true,
      falsePositives: [],
    });
  });
});
