import { describe, expect, it } from "vitest";
import type { Answer, Outcome, Reason, Vector } from "../../../schemas/index.ts";
import { describeMissingCode } from "../../base/text/missing-code.ts";
import { vector } from "../../packs/corpus/sample.fixture.ts";
import { judge } from "./judge.ts";

const acceptedAnswer: Answer = { verdict: "accepted", reasons: [] };

function rejected(...reasons: Reason[]): Answer {
  return { verdict: "rejected", reasons };
}

const valid = vector({ id: "v" });
const invalid = vector({
  id: "i",
  valid: false,
  at: "/options/0/id",
  rule: "S-1",
  site: "https://example.org/note#/properties/options/items/required/0",
  data: { title: "", options: [{}, {}], other: {} },
});
const advised: Vector = { ...invalid, level: "SHOULD" };
const vectorWithAdvice = vector({ id: "b", beyond: ["S-7"] });
const disputed = vector({
  id: "d",
  readings: [
    { verdict: "valid", by: ["ajv"] },
    { verdict: "invalid", by: ["hyperjump"], why: "it wants a time zone" },
  ],
});

describe("judge", () => {
  it.each([
    ["a valid vector accepted", valid, acceptedAnswer, "conforms"],
    ["a valid vector refused", valid, rejected(), "violates"],
    ["an invalid vector accepted", invalid, acceptedAnswer, "violates"],
    ["an invalid vector refused", invalid, rejected(), "conforms"],
    ["a valid SHOULD refused", { ...valid, level: "SHOULD" }, rejected(), "warns"],
    ["an invalid SHOULD accepted", { ...invalid, level: "SHOULD" }, acceptedAnswer, "warns"],
    ["an invalid MAY accepted", { ...invalid, level: "MAY" }, acceptedAnswer, "warns"],
    ["an invalid NOTE accepted", { ...invalid, level: "NOTE" }, acceptedAnswer, "warns"],
    ["an invalid MUST accepted", { ...invalid, level: "MUST" }, acceptedAnswer, "violates"],
    [
      "an invalid SHOULD accepted with a warning about it",
      advised,
      { ...acceptedAnswer, reasons: [{ rule: "S-1" }] },
      "conforms",
    ],
    [
      "an invalid SHOULD accepted with a warning about a different rule",
      advised,
      { ...acceptedAnswer, reasons: [{ rule: "S-9" }] },
      "warns",
    ],
    [
      "an invalid MUST accepted with a warning about it",
      invalid,
      { ...acceptedAnswer, reasons: [{ rule: "S-1" }] },
      "violates",
    ],
    ["a vector that breaks a semantic rule, accepted", vectorWithAdvice, acceptedAnswer, "conforms"],
    ["a vector that breaks a semantic rule, refused", vectorWithAdvice, rejected({ rule: "S-7" }), "disputed"],
    [
      "a SHOULD refused for a different cause",
      { ...invalid, level: "SHOULD" },
      rejected({ at: "/title" }),
      "wrong-reason",
    ],
    ["a disputed vector accepted", disputed, acceptedAnswer, "disputed"],
    ["a disputed vector refused, for any cause", disputed, rejected({ at: "/other" }), "disputed"],
  ] as [string, Vector, Answer, Outcome][])("%s: %4$s", (_, askedVector, answer, outcome) => {
    expect(judge(askedVector, answer).outcome).toBe(outcome);
  });

  it.each([
    ["the place itself", { at: "/options/0/id" }, true],
    ["the object around it", { at: "/options/0" }, true],
    ["the whole document", { at: "" }, true],
    ["a place within it", { at: "/options/0/id/x" }, true],
    ["a URI fragment", { at: "#/options/0/id" }, true],
    ["a sibling", { at: "/options/1/id" }, false],
    ["a name with the same prefix", { at: "/options/0/identity" }, false],
    ["a place in another notation", { at: "options[1].id" }, true],
    ["the rule", { rule: "S-1" }, true],
    ["a different rule", { rule: "S-10" }, false],
    ["the site", { site: "https://example.org/note#/properties/options/items/required/0" }, true],
    ["the keyword of the site", { site: "https://example.org/note#/properties/options/items/required" }, true],
    ["the schema of the site", { site: "https://example.org/note#" }, true],
    ["a site without the schema's id", { site: "#/properties/options/items/required" }, true],
    ["a different site", { site: "#/properties/title/minLength" }, false],
    ["a different schema", { site: "https://example.org/other#/properties/options" }, false],
    ["an evaluation path", { site: "#/properties/x/$ref/minLength" }, true],
    ["a code that the protocol defines", { code: "invalid_option" }, true],
    ["a code that the protocol does not define", { code: "rate_limited" }, false],
    ["one fitting part of several", { at: "/title", code: "invalid_option" }, true],
    ["only a message", { message: "no" }, true],
    ["only a keyword", { keyword: "type" }, true],
  ] as [string, Reason, boolean][])("a refusal that names %s: fits %3$s", (_, reason, fits) => {
    const { outcome } = judge(invalid, rejected(reason), ["invalid_option", 17]);
    expect(outcome).toBe(fits ? "conforms" : "wrong-reason");
  });

  it("accepts a contained item as the place of minContains and maxContains", () => {
    const site = "https://example.org/list#/properties/a/maxContains";
    const vectorOfSite = vector({ id: "c", valid: false, at: "/a", site });
    for (const reportedSite of [
      site,
      site.replace("maxC", "c"),
      "#/properties/a/contains",
      "#/properties/a/minContains",
    ])
      expect(judge(vectorOfSite, rejected({ site: reportedSite })).outcome).toBe("conforms");
    expect(judge(vectorOfSite, rejected({ site: "#/properties/a/maxItems" })).outcome).toBe("wrong-reason");
  });

  it("requires only one of several reasons to fit", () => {
    expect(judge(invalid, rejected({ at: "/title" }, { rule: "S-1" })).outcome).toBe("conforms");
    expect(judge(invalid, rejected({ at: "/title" }, { message: "no" })).outcome).toBe("wrong-reason");
  });

  it("accepts the place of the change as a place of the fault", () => {
    const vectorWithChange = vector({
      id: "f",
      valid: false,
      at: "/kind",
      change: [{ op: "add", path: "/due", value: 1 }],
    });
    expect(judge(vectorWithChange, rejected({ at: "/due" })).outcome).toBe("conforms");
    expect(judge(vectorWithChange, rejected({ at: "/title" })).outcome).toBe("wrong-reason");
  });

  it("accepts a rule that the message also breaks as its cause", () => {
    expect(judge(invalid, rejected({ rule: "N-35" }), undefined, () => "N-35").outcome).toBe("conforms");
    expect(judge(invalid, rejected({ rule: "S-2" }), undefined, () => "N-35").outcome).toBe("wrong-reason");
    expect(judge(invalid, acceptedAnswer, undefined, () => "N-35").outcome).toBe("violates");
  });

  it("accepts another member involved in the fault as its place, and no unrelated member", () => {
    const twoMembers = vector({
      id: "t",
      valid: false,
      at: "/step",
      involves: ["/total/steps"],
      data: { step: 1, total: { hours: 1 } },
    });
    for (const at of ["/step", "/total/steps", "/total"])
      expect(judge(twoMembers, rejected({ at, code: "x" }), ["y"]).outcome).toBe("conforms");
    expect(judge(twoMembers, rejected({ at: "/total/hours" })).outcome).toBe("wrong-reason");
  });

  it("accepts an unevaluated member of the faulty object as the place, but only for that keyword", () => {
    const keyword = "unevaluatedProperties";
    expect(judge(invalid, rejected({ at: "/title", keyword })).outcome).toBe("conforms");
    expect(judge(invalid, rejected({ at: "/options/1", keyword: "unevaluatedItems" })).outcome).toBe("conforms");
    expect(
      judge(invalid, rejected({ at: "/title", site: "https://x.example#/$defs/a/unevaluatedProperties" })).outcome,
    ).toBe("conforms");
    expect(judge(invalid, rejected({ at: "/other/x", keyword })).outcome).toBe("wrong-reason");
    expect(judge(invalid, rejected({ at: "/title", keyword: "additionalProperties" })).outcome).toBe("wrong-reason");
  });

  it("ignores a path that is not in the message, such as a branch of a union, but not the place of a missing member", () => {
    const boxedVector = vector({ id: "u", valid: false, at: "/grams", data: { kind: "box", grams: -1, size: {} } });
    const outcomeAt = (at: string): string => judge(boxedVector, rejected({ at })).outcome;
    expect(["/box/grams", "/grams", "/size/x", "/kind", "/lid"].map(outcomeAt)).toEqual([
      "conforms",
      "conforms",
      "wrong-reason",
      "wrong-reason",
      "wrong-reason",
    ]);
    expect(judge(boxedVector, rejected({ at: "/box/grams", rule: "X" })).outcome).toBe("conforms");
    const vectorOfRule = { ...boxedVector, rule: "S-1" };
    expect(judge(vectorOfRule, rejected({ at: "/box/grams", rule: "S-2" })).outcome).toBe("wrong-reason");
  });

  it("accepts the whole document as the place of a fault in raw JSON", () => {
    const { at: _, ...rawVector } = vector({ id: "r", valid: false, raw: "{", rule: "S-1" });
    expect(judge(rawVector, rejected({ at: "", code: "x" }), ["y"]).outcome).toBe("conforms");
    expect(judge(rawVector, rejected({ at: "/title", code: "x" }), ["y"]).outcome).toBe("wrong-reason");
  });

  it("does not fault a refusal that cannot be compared", () => {
    const { at: _at, ...vectorWithoutLocation } = vector({ id: "p", valid: false });
    expect(judge(vectorWithoutLocation, rejected({ at: "/title", rule: "S-1", site: "#/a", code: "x" })).outcome).toBe(
      "conforms",
    );
    expect(judge(invalid, rejected({ code: "rate_limited" })).outcome).toBe("conforms");
  });

  it("does not fault a refusal without a code", () => {
    expect(judge(invalid, rejected({ message: describeMissingCode("/error/code") }), ["x"]).outcome).toBe("conforms");
  });

  it("reports the target's first reason", () => {
    expect(judge(valid, acceptedAnswer).why).toBeUndefined();
    expect(judge(valid, rejected({ code: "bad", message: "too short", at: "/title" }, { message: "x" })).why).toBe(
      "refused, although it is valid: bad: too short (at /title)",
    );
    expect(judge(invalid, acceptedAnswer).why).toBe("accepted, although it is invalid");
    expect(judge(invalid, rejected({ at: "/title" })).why).toBe("refused for another cause: at /title");
    expect(judge(disputed, acceptedAnswer).why).toBe(
      "the target treats it as valid, as ajv; invalid for hyperjump: it wants a time zone",
    );
    const site = "https://example.org/list#/contains";
    const vectorWithSite = vector({
      id: "b",
      readings: [
        { verdict: "valid", by: ["ajv"] },
        { verdict: "invalid", by: ["hyperjump"], site },
      ],
    });
    expect(judge(vectorWithSite, acceptedAnswer).why).toContain("invalid for hyperjump: refused at #/contains");
    expect(judge(disputed, rejected()).why).toBe(
      "the target treats it as invalid, as hyperjump: it wants a time zone; valid for ajv",
    );
  });

  it.each([
    ["a missing member of another kind", "/payment/dueDays", "conforms"],
    ["a member that another kind does not have", "/payment/card/last4", "conforms"],
    ["a different object", "/total", "wrong-reason"],
  ])("accepts %s as the cause if the member that determines the kind was changed", (_, reportedLocation, outcome) => {
    const at = "/payment/method";
    const site = "https://example.org/order#/$defs/card/properties/method/const";
    const change = [{ op: "replace" as const, path: at, value: "invoice" }];
    const data = { payment: { method: "invoice", card: {} }, total: 1 };
    const kindVector = vector({ id: "k", valid: false, at, site, change, data });
    expect(judge(kindVector, rejected({ at: reportedLocation })).outcome).toBe(outcome);
    const lengthVector = { ...kindVector, site: site.replace("const", "maxLength") };
    expect(judge(lengthVector, rejected({ at: reportedLocation })).outcome).toBe("wrong-reason");
  });
});
