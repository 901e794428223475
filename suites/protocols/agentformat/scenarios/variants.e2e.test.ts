import { describe, expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { tryScenarios } from "../../../running/scenarios/selftest.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

/** `TOUCHSTONE_OTHERS=all` plays every scenario against every broken runtime; by default each gets only its own and some others. */
const others = process.env.TOUCHSTONE_OTHERS === "all" ? {} : { others: 6 };
const seed = Number(process.env.TOUCHSTONE_SEED ?? 1);

const { cases, said } = partOf(live.variants, ({ name }) => name);
const tested = { protocol: protocolNamed("agentformat"), scenarios, live };

describe(`a runtime that breaks a rule (${said})`, () => {
  it("exists for every rule that scenarios cover", () => {
    const broken = new Set(live.variants.map(({ rule }) => rule));
    const covered = new Set(scenarios.flatMap(({ rules }) => rules));
    expect([...covered].filter((rule) => !broken.has(rule))).toEqual([]);
  });

  it.each(cases)("is accused of $rule and of no other MUST: it $says", async (variant) => {
    expect(await tryScenarios(tested, variant, { seed, ...others })).toMatchObject({
      rule: variant.rule,
      killed: true,
      falsePositives: [],
    });
  });
});
