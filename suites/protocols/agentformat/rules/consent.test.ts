import { describe, expect, it } from "vitest";
import { findings } from "../../../../generators/index.ts";
import { type Json, type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";

const protocol = await ruled(protocolNamed("agentformat"));
const broken = (record: JsonObject): string[] =>
  findings(protocol, "consent", { governance: [], arguments: {}, called: true, ...record }).map(({ rule }) => rule);
const when = (args_match: Json): Json => ({ condition: { args_match } });

describe("consent", () => {
  const approvals = [undefined, true, false, {}, when({ a: 1 }), when({ a: 2 })];
  const asks = [undefined, true, false, true, true, false];

  it("depends on the own approval, on the inherited one if there is none, and on governance in any case", () => {
    for (const [own, ownAsks] of approvals.map((approval, index) => [approval, asks[index]] as const))
      for (const [around, aroundAsks] of approvals.map((approval, index) => [approval, asks[index]] as const))
        for (const governance of [[], [false], [false, true]])
          for (const asked of [true, false]) {
            const record = {
              ...(own === undefined ? {} : { own }),
              ...(around === undefined ? {} : { inherited: around }),
            };
            const right = governance.includes(true) || (ownAsks ?? aroundAsks ?? false);
            // The specification does not say whether a condition that does not match cancels the inherited approval.
            const isUnsaid = own === approvals[5] && aroundAsks === true && !governance.includes(true);
            expect(broken({ ...record, governance, arguments: { a: 1 }, asked })).toHaveLength(
              asked === right || isUnsaid ? 0 : 1,
            );
          }
  });

  it("is not judged if the meaning of a condition is unspecified", () => {
    for (const asked of [true, false])
      expect(broken({ own: when({ a: { pattern: "b" } }), arguments: { a: "abc" }, asked })).toEqual([]);
  });

  it("has a message from the template, if the arguments can be written in only one way", () => {
    const own = { message_template: "{{tool_args.a}}{{tool_args.b}}" };
    const shown = (args: JsonObject, message: string) => broken({ own, arguments: args, asked: true, message });
    expect(shown({ a: 1, b: "{{tool_args.a}}" }, "other")).toEqual([]);
    expect(shown({ a: 1, b: "x" }, "1x")).toEqual([]);
    expect(shown({ a: 1, b: "x" }, "x1")).toEqual(["AGF-APPR-005"]);
    expect(shown({ a: 1.5, b: "x" }, "other")).toEqual([]);
    expect(broken({ own: { message_template: "Book it?" }, asked: true, message: "other" })).toEqual([]);
    expect(shown({ a: "x" }, "other")).toEqual([]);
    expect(shown({ a: "<", b: "&" }, "&lt;&amp;")).toEqual([]);
  });
});
