import { describe, expect, it } from "vitest";
import { findings } from "../../../../generators/index.ts";
import { type Json, type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";

const protocol = await ruled(protocolNamed("agentformat"));
const rulesBrokenBy = (record: JsonObject): string[] =>
  findings(protocol, "consent", { governance: [], arguments: {}, called: true, ...record }).map(({ rule }) => rule);
const approvalIf = (args_match: Json): Json => ({ condition: { args_match } });

describe("consent", () => {
  const approvals = [undefined, true, false, {}, approvalIf({ a: 1 }), approvalIf({ a: 2 })];
  const asks = [undefined, true, false, true, true, false];

  it("depends on the tool's approval, or else the inherited one, and always on governance", () => {
    for (const [ownApproval, ownAsks] of approvals.map((approval, index) => [approval, asks[index]] as const))
      for (const [inheritedApproval, inheritedAsks] of approvals.map(
        (approval, index) => [approval, asks[index]] as const,
      ))
        for (const governance of [[], [false], [false, true]])
          for (const wasAsked of [true, false]) {
            const record = {
              ...(ownApproval === undefined ? {} : { own: ownApproval }),
              ...(inheritedApproval === undefined ? {} : { inherited: inheritedApproval }),
            };
            const shouldAsk = governance.includes(true) || (ownAsks ?? inheritedAsks ?? false);
            // The specification does not say whether a condition that does not match cancels the inherited approval.
            const isUnspecified = ownApproval === approvals[5] && inheritedAsks === true && !governance.includes(true);
            expect(rulesBrokenBy({ ...record, governance, arguments: { a: 1 }, asked: wasAsked })).toHaveLength(
              wasAsked === shouldAsk || isUnspecified ? 0 : 1,
            );
          }
  });

  it("is not judged if the meaning of a condition is unspecified", () => {
    for (const wasAsked of [true, false])
      expect(
        rulesBrokenBy({ own: approvalIf({ a: { pattern: "b" } }), arguments: { a: "abc" }, asked: wasAsked }),
      ).toEqual([]);
  });

  it("shows the filled template if the specification defines how its arguments are written", () => {
    const ownApproval = { message_template: "{{tool_args.a}}{{tool_args.b}}" };
    const rulesForMessage = (args: JsonObject, message: string) =>
      rulesBrokenBy({ own: ownApproval, arguments: args, asked: true, message });
    expect(rulesForMessage({ a: 1, b: "{{tool_args.a}}" }, "other")).toEqual([]);
    expect(rulesForMessage({ a: 1, b: "x" }, "1x")).toEqual([]);
    expect(rulesForMessage({ a: 1, b: "x" }, "x1")).toEqual(["AGF-APPR-005"]);
    expect(rulesForMessage({ a: 1.5, b: "x" }, "other")).toEqual([]);
    expect(rulesBrokenBy({ own: { message_template: "Book it?" }, asked: true, message: "other" })).toEqual([]);
    expect(rulesForMessage({ a: "x" }, "other")).toEqual([]);
    expect(rulesForMessage({ a: "<", b: "&" }, "&lt;&amp;")).toEqual([]);
  });
});
