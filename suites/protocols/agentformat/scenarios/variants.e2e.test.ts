import { describe, expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { tried } from "../../../scenarios/selftest.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const tested = { protocol: protocolNamed("agentformat"), scenarios, live };

describe("a runtime that breaks a rule", () => {
  it("is there for every rule that scenarios cover", () => {
    const broken = new Set(live.variants.map(({ rule }) => rule));
    const covered = new Set(scenarios.flatMap(({ rules }) => rules));
    expect([...covered].filter((rule) => !broken.has(rule))).toEqual([]);
  });

  it.each([...live.variants])(
    "is accused of $rule and of no other MUST: it $says",
    { timeout: 120_000 },
    async (variant) => {
      expect(await tried(tested, variant, { seed: 1 })).toMatchObject({
        rule: variant.rule,
        exposed: true,
        astray: [],
      });
    },
  );
});
