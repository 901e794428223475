import { describe, expect, it } from "vitest";
import type { CaseEntry, Cases, Json, PlacedRule, Protocol, RuleFile, Sign, Walk } from "../../../schemas/index.ts";
import { casesFor } from "./rule-cases.ts";

const letter: Json = { from: "ann", text: "Come.", sig: "ann: Come." };
const protocol = { name: "post", profile: { documents: [{ name: "letter" }] } } as unknown as Protocol;
const family = {
  name: "letter",
  file: "rules/letter.yaml",
  value: { rules: {} },
  text: { value: {}, locate: (at: string) => ({ line: at.length, column: 1 }) },
} as unknown as RuleFile;

/** Signs with the sender's name, or without it for the mistake `anonymous`. */
const seal: Sign = (message, mistake) => {
  const { from, text } = message as Record<string, string>;
  return { ...(message as object), sig: mistake === "anonymous" ? `${text}` : `${from}: ${text}` } as Json;
};

/** The cases of a rule whose first valid case is the letter. */
function casesOf(
  { valid = {}, invalid = {} }: Record<"valid" | "invalid", Record<string, Partial<CaseEntry>>> | PlacedRule,
  sources: { seal?: Sign; walk?: Walk } = { seal },
): Cases {
  const rule = { id: "POST-SIG-001", at: "/rules/POST-SIG-001", family, statement: "", document: "letter" };
  const placedRule = {
    ...rule,
    valid: { plain: { from: "letter", says: "is plain" }, ...valid },
    invalid,
  } as PlacedRule;
  return casesFor(protocol, placedRule, {
    fixtures: { ...family, value: { letter } },
    applyChanges,
    ...sources,
  })[0] as Cases;
}

const says = "is shown";
const { applyChanges } = await import("../../../generators/index.ts");

describe("a case with a signed message", () => {
  it("gets a new signature, which is part of its change", () => {
    const { valid, invalid } = casesOf({
      valid: { other: { says, set: { "/text": "Go." }, seal: "" } },
      invalid: { anonymous: { says, seal: { "": "anonymous" } }, late: { says, set: { "/text": "Go." }, seal: [""] } },
    });
    expect(valid[1]).toEqual({ name: "other", says, data: { from: "ann", text: "Go.", sig: "ann: Go." } });
    expect(invalid.map(({ change }) => change)).toEqual([
      [{ op: "replace", path: "/sig", value: "Come." }],
      [
        { op: "replace", path: "/text", value: "Go." },
        { op: "replace", path: "/sig", value: "ann: Go." },
      ],
    ]);
  });

  it.each<[string, Partial<CaseEntry>, { seal?: Sign }, string]>([
    ["no signer", { set: { "/text": "Go." }, seal: "" }, {}, "the pack has no signer"],
    ["nothing to sign again", { seal: "" }, { seal }, "there is nothing to sign again"],
    ["no message at the place", { set: { "/text": "Go." }, seal: "/card" }, { seal }, "there is nothing to sign again"],
  ])("is refused with file and line if it has %s", (_, entry, signer, message) => {
    const makeCases = () => casesOf({ valid: {}, invalid: { wrong: { says, ...entry } } }, signer);
    expect(makeCases).toThrow(
      expect.objectContaining({ what: message, where: expect.stringContaining("rules/letter.yaml:") }),
    );
  });
});

describe("a case with added values", () => {
  it("adds each value before the item at its place, or at the end, after the other changes", () => {
    const add = { "/cc/0": "bob", "/cc/-": "dan", "/text": "Stay." };
    const { invalid } = casesOf({ valid: {}, invalid: { copied: { says, set: { "/cc": ["eve"] }, add } } });
    expect(invalid.map(({ change }) => change)).toEqual([
      [
        { op: "add", path: "/cc", value: ["eve"] },
        { op: "add", path: "/cc/0", value: "bob" },
        { op: "add", path: "/cc/-", value: "dan" },
        { op: "add", path: "/text", value: "Stay." },
      ],
    ]);
  });

  it("is refused with file and line if its place is not in a list", () => {
    const makeCases = () => casesOf({ valid: {}, invalid: { wrong: { says, add: { "/cc/0": "bob" } } } });
    expect(makeCases).toThrow(expect.objectContaining({ what: 'the change does not apply: add "/cc/0"' }));
  });
});

describe("a case that is given as text", () => {
  it("contains the JSON text of its message, with the listed parts replaced", () => {
    const { valid, invalid } = casesOf({
      valid: {
        written: {
          says,
          from: "letter",
          set: { "/text": "Go." },
          seal: "",
          spelt: { '"text":"Go."': '"text":"G\\u006f."' },
        },
      },
      invalid: {
        twice: { says, from: "written", spelt: { '"from":"ann"': '"from":"bob","from":"ann"' } },
        bare: { says, remove: "/sig", spelt: {} },
      },
    } as never);
    expect(valid[1]).toEqual({ name: "written", says, text: '{"from":"ann","text":"G\\u006f.","sig":"ann: Go."}' });
    expect(invalid).toEqual([
      { name: "twice", says, text: '{"from":"bob","from":"ann","text":"Go.","sig":"ann: Go."}' },
      { name: "bare", says, text: '{"from":"ann","text":"Come."}' },
    ]);
  });

  it.each([
    ["", 0],
    ["Stay", 0],
    ["Come", 2],
  ])("is refused if the part %j occurs %d times in the text", (part, times) => {
    const makeCases = () => casesOf({ valid: {}, invalid: { wrong: { says, spelt: { [part]: "Go" } } } });
    expect(makeCases).toThrow(
      expect.objectContaining({ what: `the part ${JSON.stringify(part)} occurs ${times} times in the text` }),
    );
  });
});

describe("a case that begins with steps", () => {
  const walk: Walk = (steps) =>
    steps.split(" ").map((step) => {
      if (step === "fly") throw new Error("nothing flies");
      return { step };
    });

  it("is changed after the walker has turned the steps into messages", () => {
    const { valid } = casesOf(
      {
        valid: { two: { says, walk: "ask answer" }, more: { says, walk: "ask", add: { "/0": "first" } } },
        invalid: {},
      },
      { walk },
    );
    expect(valid.slice(1).map(({ data }) => data)).toEqual([
      [{ step: "ask" }, { step: "answer" }],
      ["first", { step: "ask" }],
    ]);
  });

  it.each<[string, { walk?: Walk }, string]>([
    ["the pack has no walker", {}, "the pack has no walker for steps"],
    ["the walker fails", { walk }, "the steps fail: nothing flies"],
  ])("is refused with file and line if %s", (_, makers, message) => {
    const makeCases = () => casesOf({ valid: { wrong: { says, walk: "fly" } }, invalid: {} }, makers);
    expect(makeCases).toThrow(
      expect.objectContaining({ what: message, where: expect.stringContaining("rules/letter.yaml:") }),
    );
  });
});

it("the changes of a case apply in order, including long texts", () => {
  const { invalid } = casesOf({
    valid: {},
    invalid: {
      long: { says, repeat: { "/text": { text: "é", times: 3, then: "." } } },
      twice: { says, set: { "/to": ["bob"] }, add: { "/to/0": "cid", "/to/1": "dan" } },
      nowhere: { says, add: { "/from": "eve" } },
    },
  });
  expect(invalid.map(({ change }) => change)).toEqual([
    [{ op: "add", path: "/text", value: "ééé." }],
    [
      { op: "add", path: "/to", value: ["bob"] },
      { op: "add", path: "/to/0", value: "cid" },
      { op: "add", path: "/to/1", value: "dan" },
    ],
    [{ op: "add", path: "/from", value: "eve" }],
  ]);
});
