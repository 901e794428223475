import { describe, expect, it } from "vitest";
import { protocolNamed } from "../../../../../../schemas/index.ts";
import { variantNameOf } from "../../../../../packs/reference/mistakes.ts";
import { agentVariants } from "./index.ts";

describe("the variants of the agent", () => {
  it("break rules of the catalogue, and have unique names", () => {
    const ruleIds = new Set(protocolNamed("snap").rules.map(({ id }) => id));
    expect(agentVariants.filter(({ rule }) => !ruleIds.has(rule))).toEqual([]);
    expect(new Set(agentVariants.map(variantNameOf)).size).toBe(agentVariants.length);
  });

  it("are grouped by rule", () => {
    const groups = agentVariants.map(({ rule }) => rule).filter((rule, index, rules) => rule !== rules[index - 1]);
    expect(groups).toEqual([...new Set(groups)]);
  });
});
