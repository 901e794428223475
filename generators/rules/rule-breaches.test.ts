import { describe, expect, it } from "vitest";
import type { Checker, Document, Rule, RuledProtocol, Vector } from "../../schemas/index.ts";
import { breachesOf, markBeyond } from "./rule-breaches.ts";

const rule = (id: string, part: Partial<Rule>): Rule => ({ id, level: "MUST", ...part }) as Rule;
const textChecker = (id: string, text: string): Checker => ({
  rule: id,
  documents: ["note"],
  check: (instance) => (JSON.stringify(instance).includes(text) ? [{ at: "", why: `says ${text}` }] : []),
});
const checkers = [
  textChecker("X-1", "must"),
  textChecker("X-2", "should"),
  textChecker("X-3", "may"),
  textChecker("X-4", "note"),
  textChecker("X-5", "either"),
  {
    rule: "X-6",
    documents: ["note"],
    read: (bytes: Uint8Array) => (bytes.length > 40 ? [{ at: "", why: "is long" }] : []),
  },
];
const protocol = {
  rules: [
    rule("X-1", {}),
    rule("X-2", { level: "SHOULD" }),
    rule("X-3", { level: "MAY" }),
    rule("X-4", { level: "NOTE" }),
    rule("X-5", { verdict: "either" }),
    rule("X-6", { verdict: "warn" }),
  ],
  families: [{ name: "all", checkers, cases: [] }],
  profile: {},
} as unknown as RuledProtocol;
const document = { name: "note" } as Document;
const vector = (part: Partial<Vector>): Vector => ({
  id: "x",
  description: "",
  valid: true,
  needs: [],
  tags: [],
  ...part,
});
const beyondOf = (part: Partial<Vector>) => markBeyond(protocol, document, [vector(part)])[0]?.beyond;

describe("a valid vector", () => {
  it.each([
    ["must", "X-1"],
    ["should", "X-2"],
    ["may", "X-3"],
    ["note", "X-4"],
    ["either", "X-5"],
  ])("lists a rule of any level that it breaks: %s", (word, id) => {
    expect(beyondOf({ data: { word } })).toEqual([id]);
    expect(beyondOf({ raw: `{"word":"${word}"}` })).toEqual([id]);
  });

  it("does not list a rule that only warns", () => {
    const warning: Checker = {
      rule: "X-1",
      documents: ["note"],
      check: () => [{ at: "", why: "is later", mustPass: true }],
    };
    const families = [{ name: "all", checkers: [warning], cases: [] }];
    expect(markBeyond({ ...protocol, families }, document, [vector({ data: "later" })])[0]?.beyond).toBeUndefined();
    expect(breachesOf({ ...protocol, families }, document)("later")).toEqual(["X-1"]);
  });

  it("in YAML is read as YAML", () => {
    expect(beyondOf({ raw: "word: must # be kept\n", needs: ["yaml-text"] })).toEqual(["X-1"]);
    expect(beyondOf({ raw: "word: must # be kept\n" })).toBeUndefined();
    expect(beyondOf({ raw: "word: [must", needs: ["yaml-text"] })).toBeUndefined();
  });

  it("lists rules about its text, and its own rule", () => {
    expect(beyondOf({ base64: Buffer.from(`{"word":"${"a".repeat(40)}"}`).toString("base64") })).toEqual(["X-6"]);
    expect(beyondOf({ rule: "X-2", data: ["should", "may"] })).toEqual(["X-2", "X-3"]);
  });

  it("does not list a rule if none refuses it, or if it is invalid", () => {
    expect(beyondOf({ data: { word: "fine" } })).toBeUndefined();
    expect(beyondOf({ data: "must", valid: false })).toBeUndefined();
    expect(breachesOf(protocol, document)(["must", "may"], ["X-3"])).toEqual(["X-3"]);
  });
});
