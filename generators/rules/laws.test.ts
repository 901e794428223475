import { expect, it } from "vitest";
import { type Document, isObject, protocolNamed, type RuledProtocol, type Vector } from "../../schemas/index.ts";
import type { Oracle } from "../oracle/oracle.ts";
import { readingLaw, semanticLaw } from "./laws.ts";
import { markBeyond } from "./rule-breaches.ts";

const snap = protocolNamed("snap");
const envelope = snap.profile.documents.find(({ name }) => name === "envelope") as Document;
const protocol: RuledProtocol = {
  ...snap,
  families: [
    {
      name: "full",
      checkers: [
        {
          rule: "SNAP-PAY-015",
          documents: ["envelope"],
          check: (message) =>
            isObject(message) && message.payload === "" ? [{ at: "/payload", why: "is empty" }] : [],
        },
      ],
      cases: [],
    },
  ],
};

function withoutRecipient(payload: string): Vector {
  return {
    id: "snap/0.1/envelope/disputed/to/missing",
    description: "the document lacks `to`",
    readings: [
      { verdict: "invalid", by: ["base"] },
      { verdict: "valid", by: ["a2s"] },
    ],
    data: { payload },
    rule: "SNAP-ENV-002",
    needs: [],
    tags: [],
  };
}

it("the reading law forbids a reading to accept a message that breaks another binding rule", () => {
  expect(readingLaw(protocol, envelope, [withoutRecipient("full")])).toEqual([]);
  expect(readingLaw(protocol, envelope, [withoutRecipient("")])).toEqual([
    {
      id: "snap/0.1/envelope/disputed/to/missing",
      law: "reading",
      why: 'taken by a2s, it breaks SNAP-PAY-015 at "/payload": is empty',
    },
  ]);
});

it("the reading law allows such a reading if the vector lists the rule in `beyond`", () => {
  const [marked] = markBeyond(protocol, envelope, [withoutRecipient("")]);
  expect(marked?.beyond).toEqual(["SNAP-PAY-015"]);
  expect(readingLaw(protocol, envelope, marked === undefined ? [] : [marked])).toEqual([]);
  expect(markBeyond(protocol, envelope, [withoutRecipient("full")])[0]?.beyond).toBeUndefined();
});

it("the semantic law allows validators to disagree only about a message that a rule refuses", () => {
  const countBreaches = (payload: string, valid: boolean, verdict: "valid" | "invalid" | "disputed") => {
    const vector = {
      ...withoutRecipient(payload),
      readings: undefined,
      valid,
      rule: "SNAP-PAY-015",
    } as unknown as Vector;
    return semanticLaw(protocol, envelope, { judge: () => ({ verdict }) } as unknown as Oracle, [vector]).length;
  };
  expect([
    countBreaches("", false, "valid"),
    countBreaches("", false, "disputed"),
    countBreaches("full", true, "valid"),
  ]).toEqual([0, 0, 0]);
  expect([countBreaches("", false, "invalid"), countBreaches("full", true, "disputed")]).toEqual([1, 1]);
});

it("the semantic law allows a message that breaks a rule to break only advice that follows from it", () => {
  const protocolWithAdvice = (level: "SHOULD" | "MUST"): RuledProtocol => ({
    ...protocol,
    rules: protocol.rules.map((rule) => (rule.id === "SNAP-PAY-015" ? { ...rule, follows: ["SNAP-PAY-013"] } : rule)),
    families: ["SNAP-PAY-015", level === "MUST" ? "SNAP-PAY-016" : "SNAP-PAY-013"].map((rule) => ({
      name: rule,
      checkers: [{ rule, documents: ["envelope"], check: () => [{ at: "/payload", why: "is empty" }] }],
      cases: [],
    })),
  });
  const vector = {
    ...withoutRecipient(""),
    readings: undefined,
    valid: false,
    rule: "SNAP-PAY-015",
  } as unknown as Vector;
  const oracle = { judge: () => ({ verdict: "valid" }) } as unknown as Oracle;
  expect(semanticLaw(protocolWithAdvice("SHOULD"), envelope, oracle, [vector])).toEqual([]);
  expect(semanticLaw(protocolWithAdvice("MUST"), envelope, oracle, [vector])).toHaveLength(1);
  const withoutImplication = { ...protocolWithAdvice("SHOULD"), rules: protocol.rules };
  expect(semanticLaw(withoutImplication, envelope, oracle, [vector])).toHaveLength(1);
});
