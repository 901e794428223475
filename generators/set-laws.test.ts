import { describe, expect, it } from "vitest";
import type { Document, Protocol, Rule, RuledProtocol, Vector } from "../schemas/index.ts";
import { ageLaw, beyondLaw, contentLaw, levelLaw, setLaw, textLaw } from "./set-laws.ts";

const rules = [
  { id: "X-1", level: "MUST" },
  { id: "X-2", level: "SHOULD" },
  { id: "X-3", level: "MUST", verdict: "warn" },
  { id: "X-4", level: "MAY", verdict: "fail" },
  { id: "X-5", level: "MUST", verdict: "either" },
] as Rule[];
const document = { name: "note", fresh: [{ at: "/due", make: "date-time", offset: 60 }] } as Document;
const protocol = {
  rules,
  profile: { text: { rulings: { surrogate: { rule: "X-1", invalid: true } } } },
  families: [
    {
      name: "notes",
      cases: [],
      checkers: [
        {
          rule: "X-2",
          documents: ["note"],
          check: (note: object) => ("advised" in note ? [] : [{ at: "", why: "lacks it" }]),
        },
      ],
    },
  ],
} as unknown as RuledProtocol;

const vector = (id: string, part: Partial<Vector>): Vector => ({ id, description: "", needs: [], tags: [], ...part });
const good = vector("p/1/note/valid/good", { valid: true, data: { advised: 1, due: "2126-01-15T09:30:00Z" } });
const bare = vector("p/1/note/valid/bare", { valid: true, data: { due: "2126-01-15T09:30:00Z" }, beyond: ["X-2"] });
const refused = vector("p/1/note/semantic/X-2/bare", { ...bare, id: "x", valid: false, rule: "X-2", level: "SHOULD" });
const text = vector("p/1/note/raw/comma/trailing", { valid: false, raw: "{,}", parent: good.id });
const late = vector("p/1/note/invalid/due/past", {
  valid: false,
  data: { due: "2026-01-15T09:30:00Z" },
  at: "/due",
  rule: "X-1",
  alsoBreaks: ["X-2"],
});
const deep = vector("p/1/note/raw/nesting/100", { raw: "[]", parent: good.id, tags: ["depth"] });
const sound = [good, bare, { ...refused, id: "p/1/note/semantic/X-2/bare" }, text, late];

it("a sound set keeps all laws", () => {
  expect(setLaw(protocol, document, sound)).toEqual([]);
});

describe("a law reports", () => {
  it.each<[string, string, ReturnType<typeof setLaw>]>([
    ["the same content twice", "says the same", contentLaw([good, { ...good, id: "again" }])],
    ["the same text twice", "says the same", contentLaw([text, { ...text, id: "again" }])],
    [
      "contrary verdicts on the same content",
      "says otherwise",
      contentLaw([good, { ...good, id: "not", valid: false, rule: "X-1" }]),
    ],
    ["a verdict on content that another vector disputes", "says otherwise", contentLaw([good, disputedCopyOf(good)])],
    [
      "a contradiction by a rule that is not listed in beyond",
      "says otherwise",
      contentLaw([bare, { ...refused, rule: "X-1" }]),
    ],
    ["a rule missing from beyond", "touches X-2", beyondLaw(protocol, document, [{ ...bare, beyond: ["X-1"] }])],
    ["advice that fails", "counts as MUST, X-2 as SHOULD", levelLaw(rules, [{ ...late, rule: "X-2" }])],
    ["a warning that fails", "counts as MUST, X-3 as SHOULD", levelLaw(rules, [{ ...late, rule: "X-3" }])],
    [
      "a verdict on a point that its rule leaves open",
      "leaves it open",
      levelLaw(rules, [{ ...late, rule: "X-5", level: "MAY" }]),
    ],
    ["a text of a parent with a fault", "something else", textLaw(protocol, [bare, { ...text, parent: bare.id }])],
    ["a text without a parent", "something else", textLaw(protocol, [text])],
    [
      "repeated names without a position of the protocol",
      "no position",
      textLaw(protocol, [good, raw("repeated-name/nested")]),
    ],
    [
      "a byte order mark without a position of the protocol",
      "no position",
      textLaw(protocol, [good, raw("byte-order-mark/before")]),
    ],
    [
      "a nesting depth without a position of the protocol",
      "no position",
      textLaw(protocol, [good, { ...deep, valid: true }]),
    ],
    ["a deadline that has passed", "passes", ageLaw(document, [{ ...late, valid: true }])],
    ["a deadline that has passed, beside the fault", "passes", ageLaw(document, [{ ...late, at: "/other" }])],
  ])("%s", (_, why, breaches) => {
    expect(breaches.map((breach) => breach.why)).toEqual([expect.stringContaining(why)]);
  });
});

it("a protocol's position may decide a verdict", () => {
  expect(textLaw(protocol, [good, raw("lone-surrogate/high")])).toEqual([]);
  const protocolWithDepth = { profile: { text: { rulings: {}, levels: 5 } } } as unknown as Protocol;
  expect(textLaw(protocolWithDepth, [good, { ...deep, valid: true }])).toEqual([]);
  expect(levelLaw(rules, [{ ...late, rule: "X-4" }])).toEqual([]);
  expect(levelLaw(rules, [{ ...late, valid: true, rule: "X-2" }])).toEqual([]);
});

function raw(name: string): Vector {
  return { ...text, id: `p/1/note/raw/${name}` };
}
function disputedCopyOf({ data }: Vector): Vector {
  const readings = [
    { verdict: "valid", by: ["a"] },
    { verdict: "invalid", by: ["b"] },
  ];
  return vector("open", { data, readings } as Partial<Vector>);
}
