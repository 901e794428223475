import { describe, expect, it } from "vitest";
import { type LiveVariant, protocolNamed } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { playableVariants, tryScenarios } from "../../../running/scenarios/selftest.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const options = { protocol: protocolNamed("ahcp"), scenarios, live };
const coveredRules = new Set(scenarios.flatMap(({ rules }) => rules));
const brokenHubs = playableVariants(live, scenarios);
const { cases, said: partText } = partOf(brokenHubs, ({ name }) => name);

/** The number of scenarios played besides those of the broken rule. `touchstone selftest ahcp --scenarios` plays all of them. */
const extraScenarios = 1;
const seed = Number(process.env.TOUCHSTONE_SEED ?? 1);

describe(`a hub that breaks a rule (${partText})`, () => {
  it("exists for every rule that a scenario covers", () => {
    const brokenRules = new Set(brokenHubs.map(({ rule }) => rule));
    expect([...coveredRules].filter((rule) => !brokenRules.has(rule))).toEqual([]);
  });

  const title = "is reported for $rule and for no other MUST: it $says";
  const test = async (variant: LiveVariant): Promise<void> => {
    expect(await tryScenarios(options, variant, { seed, others: extraScenarios })).toMatchObject({
      rule: variant.rule,
      killed: true,
      falsePositives: [],
    });
  };
  it.concurrent.each(cases.filter(({ alone }) => alone !== true))(title, test);
  it.each(cases.filter(({ alone }) => alone === true))(title, test);
});
