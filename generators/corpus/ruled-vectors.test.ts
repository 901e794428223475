import { describe, expect, it } from "vitest";
import { type Document, isObject, type Json, type RuledProtocol, type RuleFamily } from "../../schemas/index.ts";
import type { Draft } from "../drafts/draft.ts";
import type { JudgedDraft } from "./judge.ts";
import { separateRuleVectors } from "./ruled-vectors.ts";

/** Two rules: an order has no total, because only a bill has one; and a table's number is not 0. */
const family: RuleFamily = {
  name: "own",
  checkers: [
    {
      rule: "SHOP-OWN-001",
      documents: ["order"],
      check: (each) => (isObject(each) && "total" in each ? [{ at: "/total", why: "is of a bill" }] : []),
    },
    {
      rule: "SHOP-TBL-001",
      documents: ["order"],
      check: (each) => (isObject(each) && each.table === 0 ? [{ at: "/table", why: "is no table" }] : []),
    },
  ],
  cases: [],
};
const protocol = {
  rules: [
    { id: "SHOP-OWN-001", level: "SHOULD" },
    { id: "SHOP-TBL-001", level: "MUST" },
  ],
  families: [family],
} as unknown as RuledProtocol;
const order = { name: "order" } as Document;

const draft = (data: Json): Draft => ({ data, name: [], at: "", says: "", tags: [], features: [], uniqueFeatures: [] });

function judgedFrom(parent: Json, data: Json, named: "only" | "also" = "only"): JudgedDraft {
  const change = [{ op: "replace" as const, path: "", value: data }];
  const injected = { fault: "foreign-field", parent: draft(parent), change };
  const head = { id: "shop/1/order/valid/total/foreign-field", description: "an order with the `total` of a bill" };
  return {
    draft: { ...draft(data), named, injected },
    kind: "valid",
    vector: { ...head, valid: true, data, at: "/total", needs: [], tags: ["cross-type"] },
  };
}

describe("an instance that the schema accepts", () => {
  const decide = (judged: JudgedDraft) =>
    separateRuleVectors(protocol, order, [judged], () => "shop/1/order/valid/minimal");

  it("belongs to the only rule that refuses it, and has its level", () => {
    const { judged, semantic } = decide(judgedFrom({ table: 1 }, { table: 1, total: 5 }));
    expect(judged).toEqual([]);
    expect(semantic).toMatchObject([
      {
        id: "shop/1/order/semantic/SHOP-OWN-001/total/foreign-field",
        valid: false,
        rule: "SHOP-OWN-001",
        level: "SHOULD",
        fault: "foreign-field",
        needs: ["semantic"],
        parent: "shop/1/order/valid/minimal",
      },
    ]);
  });

  it.each([
    ["no rule refuses it", judgedFrom({ table: 1 }, { table: 2 })],
    ["two rules refuse it", judgedFrom({ table: 1 }, { table: 0, total: 5 })],
    ["its parent breaks a rule itself", judgedFrom({ table: 1, total: 4 }, { table: 1, total: 5 })],
    ["it is not published only because of its family", judgedFrom({ table: 1 }, { table: 1, total: 5 }, "also")],
  ])("stays in its file if %s", (_, judgedDraft) => {
    expect(decide(judgedDraft)).toEqual({ judged: [judgedDraft], semantic: [] });
  });
});
