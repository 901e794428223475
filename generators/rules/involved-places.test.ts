import { expect, it } from "vitest";
import { type Document, isObject, type Json, type RuledProtocol, type Vector } from "../../schemas/index.ts";
import { wrongPlacesByAjv } from "../oracle/ajv.ts";
import { withInvolved, withPlaces } from "./involved-places.ts";

const protocol = {
  rules: [{ id: "X-1", level: "MUST" }],
  families: [
    {
      name: "sums",
      checkers: [
        {
          rule: "X-1",
          documents: ["note", "log"],
          *check(instance: Json) {
            const [note, totals] = isObject(instance) ? [instance, instance.totals] : [];
            if (note?.kind !== "note" || !isObject(totals)) return;
            const parts = Array.isArray(note.parts) ? note.parts : [];
            for (const [index, part] of parts.entries())
              if (isObject(part) && Number(part.step) > Number(totals.steps))
                yield { at: `/parts/${index}/step`, why: "is too far" };
          },
        },
      ],
      cases: [],
    },
  ],
} as unknown as RuledProtocol;
const note = { name: "note", role: "entry", when: { "/kind": ["note"] } } as unknown as Document;
const data = { kind: "note", title: "A", parts: [{ step: 1 }, { step: 4, name: "b" }], totals: { steps: 3, hours: 1 } };
const vector: Vector = {
  id: "x",
  description: "",
  valid: false,
  data,
  rule: "X-1",
  at: "/parts/1/step",
  needs: [],
  tags: [],
};
const involvedIn = (members: Partial<Vector>, document = note) =>
  withInvolved(protocol, document, [{ ...vector, ...members }])[0]?.involves;

it("a message that breaks a rule names the other members that cause the breach", () => {
  expect(involvedIn({})).toEqual(["/totals/steps"]);
  expect(involvedIn({ at: "/totals" })).toEqual(["/parts/1/step"]);
  expect(involvedIn({ at: "/totals", change: [{ op: "replace", path: "/parts/1/step", value: 4 }] })).toBeUndefined();
});

it("a message also names the places that its case lists", () => {
  expect(involvedIn({ involves: ["/title"] })).toEqual(["/title", "/totals/steps"]);
});

it("the member that selects the kind of message is named only if there are several", () => {
  expect(involvedIn({}, { ...note, when: { "/kind": ["note", "memo"] } })).toEqual(["/kind", "/totals/steps"]);
});

it("a valid message, one that keeps the rule, and a recording do not name other members", () => {
  expect(involvedIn({ data: { ...data, totals: { steps: 9 } } })).toBeUndefined();
  expect(involvedIn({ valid: true })).toBeUndefined();
  expect(involvedIn({}, { ...note, role: "trace" })).toBeUndefined();
  expect(involvedIn({}, { ...note, role: "record" })).toEqual(["/totals/steps"]);
});

const agentProtocol = {
  rules: [{ id: "X-2", level: "MUST" }],
  families: [
    {
      name: "names",
      checkers: [
        {
          rule: "X-2",
          documents: ["note"],
          *check(instance: Json) {
            const { agents, steps = [] } = instance as { agents?: Json[]; steps?: Json[] };
            for (const [index, step] of steps.entries())
              if (!(agents ?? []).includes(step)) yield { at: `/steps/${index}`, why: "is no agent" };
          },
        },
      ],
      cases: [],
    },
  ],
} as unknown as RuledProtocol;
const validVector: Vector = { ...vector, id: "right", rule: "X-2", at: "", valid: true };
const involvedWith = (members: Partial<Vector>, parent: Json, ...validData: Json[]) =>
  withInvolved(agentProtocol, note, [
    { ...vector, rule: "X-2", parent: "right", ...members },
    { ...validVector, data: parent },
    ...validData.map((each, index) => ({ ...validVector, id: `right-${index}`, data: each })),
  ])[0]?.involves;
const replaced = { at: "/steps/1", change: [{ op: "replace" as const, path: "/steps/1", value: "c" }] };

it("a message names the members whose change alone breaks the rule at the same place in its parent, and only those", () => {
  const parent = { agents: ["a", "b"], steps: ["a", "b"], title: "A" };
  // Another first step would break the rule too, but at a different place.
  expect(
    involvedWith({ data: { ...parent, steps: ["a", "c"] }, ...replaced }, parent, { agents: ["d"], steps: ["d"] }),
  ).toEqual(["/agents"]);
});

it("a message names a member that would keep the rule with the value of a valid message", () => {
  const parent = { steps: [], title: "A" };
  const broken = { agents: ["a"], steps: ["c"], title: "A" };
  const change = [{ op: "add" as const, path: "/steps/-", value: "c" }];
  expect(involvedWith({ data: broken, at: "/steps/0", change }, parent, { agents: ["c"], steps: ["c"] })).toEqual([
    "/agents",
  ]);
  expect(involvedWith({ data: { ...broken, agents: "a" }, at: "/steps/0", change }, parent)).toBeUndefined();
  // The list of a valid message replaces the whole list, even if the present value is not a list.
  const [invalid, valid] = [
    { ...broken, agents: "a" },
    { agents: ["b", "c"], steps: ["c"] },
  ];
  expect(involvedWith({ data: invalid, at: "/steps/0", change }, parent, valid)).toEqual(["/agents"]);
  expect(involvedWith({ data: broken, at: "/steps/0", change }, parent)).toEqual(["/agents"]);
});

it("a message names the place at which its checker finds the fault, if a different place was changed", () => {
  const parent = { agents: ["a"], steps: ["a"], title: "A" };
  const change = [{ op: "replace" as const, path: "/agents/0", value: "b" }];
  expect(involvedWith({ data: { ...parent, agents: ["b"] }, at: "/agents/0", change }, parent)).toEqual(["/steps"]);
});

it("a message that its schema refuses names the other places of the fault: conditions, and other branches of a choice", () => {
  const id = "https://example.org/loan.schema.json";
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: id,
    if: { properties: { kind: { const: "foreign" } } },
    else: { properties: { partner: { properties: { name: false } } } },
    properties: { payment: { anyOf: [{ required: ["iban"] }, { properties: { by: { const: "cash" } } }] } },
  };
  const placesOf = (data: Json, at: string, change?: Vector["change"]) => {
    const refused: Vector = { ...vector, data, at, ...(change === undefined ? {} : { change }) };
    return withPlaces(wrongPlacesByAjv([schema], id), [refused])[0]?.involves;
  };
  const conditional = { kind: "home", partner: { name: "B" } };
  expect(placesOf(conditional, "/kind")).toEqual(["/partner/name"]);
  expect(placesOf(conditional, "/partner")).toBeUndefined();
  expect(placesOf(conditional, "/kind", [{ op: "add", path: "/partner", value: { name: "B" } }])).toBeUndefined();
  expect(placesOf({ payment: { by: "card" } }, "/payment/iban")).toEqual(["/payment/by"]);
});

it("a message names the parts that it leaves unevaluated: a member of a failing branch, and the items after the evaluated ones", () => {
  const id = "https://example.org/response.schema.json";
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: id,
    oneOf: [
      { required: ["result"], properties: { result: {} }, not: { required: ["error"] } },
      { required: ["error"], properties: { error: { type: "string" } } },
    ],
    properties: { pair: { prefixItems: [true], unevaluatedItems: { type: "string" } } },
    unevaluatedProperties: false,
  };
  const placesOf = (data: Json, at: string) =>
    withPlaces(wrongPlacesByAjv([schema], id), [{ ...vector, data, at }])[0]?.involves;
  expect(placesOf({ result: 1, error: "no" }, "/error")).toEqual(["/result"]);
  expect(placesOf({ error: 7 }, "/error")).toBeUndefined();
  expect(placesOf({ error: "no", pair: [1, 2, 3] }, "/pair/1")).toEqual(["/pair/2"]);
});
