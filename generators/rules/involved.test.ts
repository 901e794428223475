import { expect, it } from "vitest";
import { type Document, isObject, type Json, type RuledProtocol, type Vector } from "../../schemas/index.ts";
import { wrongPlacesByAjv } from "../oracle/ajv.ts";
import { withInvolved, withPlaces } from "./involved.ts";

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
const involves = (more: Partial<Vector>, document = note) =>
  withInvolved(protocol, document, [{ ...vector, ...more }])[0]?.involves;

it("a message that breaks a rule names the other members without which it would not", () => {
  expect(involves({})).toEqual(["/totals/steps"]);
  expect(involves({ at: "/totals" })).toEqual(["/parts/1/step"]);
  expect(involves({ at: "/totals", change: [{ op: "replace", path: "/parts/1/step", value: 4 }] })).toBeUndefined();
});

it("what selects the kind of message is named only where there are several", () => {
  expect(involves({}, { ...note, when: { "/kind": ["note", "memo"] } })).toEqual(["/kind", "/totals/steps"]);
});

it("a message that keeps the rule, is right or is a record of ours names none", () => {
  expect(involves({ data: { ...data, totals: { steps: 9 } } })).toBeUndefined();
  expect(involves({ valid: true })).toBeUndefined();
  expect(involves({}, { ...note, role: "record" })).toBeUndefined();
});

it("a message that its schema refuses names where else that is found out: what is conditional, and other branches of a choice", () => {
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
