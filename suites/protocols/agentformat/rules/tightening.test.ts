import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findings } from "../../../../generators/index.ts";
import { type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";

const protocol = await ruled(protocolNamed("agentformat"));
const limit = fc.option(fc.nat(5), { nil: undefined });
const calls = (max?: number): JsonObject => ({ limits: max === undefined ? {} : { max_tool_calls: max } });

describe("effective bounds", () => {
  it("must be the smallest of all sources", () => {
    fc.assert(
      fc.property(limit, limit, limit, limit, fc.boolean(), (parent, child, governance, effective, isOff) => {
        const record = {
          parent: calls(parent),
          child: { ...calls(child), tighten_only_invariant: !isOff },
          governance: calls(governance),
          effective: calls(effective),
        };
        const sourceLimits = [parent, child, governance].filter((sourceLimit) => sourceLimit !== undefined);
        const smallest = sourceLimits.length === 0 ? undefined : Math.min(...sourceLimits);
        expect(findings(protocol, "tightening", record)).toHaveLength(effective === smallest ? 0 : 1);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it("may have a smaller depth, since the specification does not say where counting begins", () => {
    const depth = (max_delegation_depth: number): JsonObject => ({ limits: { max_delegation_depth } });
    const record = (effective: number) => ({ parent: depth(3), child: depth(5), effective: depth(effective) });
    expect(findings(protocol, "tightening", record(2))).toEqual([]);
    expect(findings(protocol, "tightening", record(3))).toEqual([]);
    expect(findings(protocol, "tightening", record(4)).map(({ rule }) => rule)).toEqual(["AGF-CONS-003"]);
  });
});
