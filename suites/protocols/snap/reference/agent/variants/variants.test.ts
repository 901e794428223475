import { describe, expect, it } from "vitest";
import { protocolNamed } from "../../../../../../schemas/index.ts";
import { nameOf } from "../../../../../packs/reference/breaks.ts";
import { agentVariants } from "./index.ts";

describe("the variants of the agent", () => {
  it("break each a rule that there is, and no two have one name", () => {
    const known = new Set(protocolNamed("snap").rules.map(({ id }) => id));
    expect(agentVariants.filter(({ rule }) => !known.has(rule))).toEqual([]);
    expect(new Set(agentVariants.map(nameOf)).size).toBe(agentVariants.length);
  });

  it("stand together by their rules", () => {
    const inOrder = agentVariants.map(({ rule }) => rule).filter((rule, index, all) => rule !== all[index - 1]);
    expect(inOrder).toEqual([...new Set(inOrder)]);
  });
});
