import type { Cases, InvalidCase, Json } from "../../../../schemas/index.ts";
import { asking, form, input } from "./messages.ts";

const fields = {
  flour: { type: "string", enum: ["rye", "wheat"] },
  litres: { type: "number", minimum: 0.5 },
  rounds: { type: "integer" },
  salted: { type: "boolean" },
  shape: { enum: ["round", 2, true, null] },
  unit: { const: "l" },
};

/** A field of the form with this schema instead of its own. */
function field(name: string, says: string, schema: Json): InvalidCase {
  const path = "/request/schema/properties/litres";
  return { name, from: "every-scalar", says, change: [{ op: "replace", path, value: schema }] };
}

/** A keyword of the form itself. */
function keyword(name: string, says: string, word: string, value: Json): InvalidCase {
  return { name, from: "every-scalar", says, change: [{ op: "add", path: `/request/schema/${word}`, value }] };
}

export const flatnessCases: Cases[] = [
  {
    rule: "AHCP-ASK-005",
    document: "message",
    valid: [
      { name: "two-fields", says: "has a text and a number", at: "/request/schema", data: input },
      {
        name: "every-scalar",
        says: "has a field of each scalar type, lists of scalars, and one scalar",
        at: "/request/schema",
        data: asking(input, { schema: form(fields, ["flour", "unit"]) }),
      },
      {
        name: "no-fields",
        says: "is empty: no field is one that nests",
        at: "/request/schema",
        edge: true,
        data: asking(input, { schema: {} }),
      },
      {
        name: "closed-and-annotated",
        says: "refuses other members, and has annotations with objects in them",
        at: "/request/schema",
        edge: true,
        data: asking(input, {
          schema: {
            ...form({ ...fields, type: { type: "string" }, items: { type: "string", "x-ahcp-sensitive": true } }),
            additionalProperties: false,
            examples: [{ flour: { type: "array" } }],
          },
        }),
      },
    ],
    invalid: [
      keyword("no-schema", "is no schema, as its type is unknown", "type", "form"),
      keyword("pattern-of-another-flavour", "has an invalid pattern", "properties", {
        flour: { type: "string", pattern: "(?<rye" },
      }),
      keyword("of-a-list", "is for a list", "type", "array"),
      keyword("of-an-object-or-nothing", "is for an object, or for null", "type", ["object", "null"]),
      keyword("of-one-type-listed", "lists the one type that it has", "type", ["object"]),
      field("list-field", "is a field that takes a list", { type: "array", items: { type: "string" } }),
      field("list-without-items", "is a field that takes any list", { type: "array" }),
      field("object-field", "is a field that takes an object", { type: "object" }),
      field("object-among-types", "is a field that may take an object", { type: ["number", "object"] }),
      field("list-as-value", "is a field with a list among its values", { enum: [1, [2]] }),
      field("object-as-value", "is a field whose only value is an object", { const: {} }),
      field("fields-in-a-field", "is a field with fields", { type: "number", properties: { a: { type: "string" } } }),
      field("items-in-a-field", "is a field with items", { type: "number", items: { type: "string" } }),
      field("tuple-in-a-field", "is a field with a tuple", { type: "number", prefixItems: [{ type: "string" }] }),
      field("pattern-fields-in-a-field", "is a field with fields by pattern", {
        type: "number",
        patternProperties: { "^a": { type: "string" } },
      }),
      {
        name: "last-field-nests",
        from: "every-scalar",
        says: "is a list, in the last field",
        change: [{ op: "replace", path: "/request/schema/properties/unit/const", value: [] }],
      },
      field("reference", "is described elsewhere", { type: "number", $ref: "#/properties/rounds" }),
      field("composition", "is a field of several schemas", { type: "number", allOf: [{ minimum: 1 }] }),
      field("alternatives", "is a field of either schema", { type: "number", oneOf: [{ minimum: 1 }, { const: 0 }] }),
      field("negation", "is a field with an exception", { type: "number", not: { const: 13 } }),
      field("without-type", "does not say its type", { minimum: 1 }),
      field("anything", "takes anything", true),
      field("list-of-types", "has two scalar types", { type: ["number", "string"] }),
      field("null", "is null", { type: "null" }),
      keyword("composed-form", "is a choice of forms", "anyOf", [{ required: ["flour"] }, { required: ["litres"] }]),
      keyword("conditional-form", "has a condition", "if", { required: ["salted"] }),
      keyword("fields-by-pattern", "names fields by a pattern", "patternProperties", { "^x-": { type: "string" } }),
      {
        name: "select-with-nested-schema",
        from: "two-fields",
        says: "takes a list, in a mode that does not look at it",
        change: [
          { op: "replace", path: "/request/schema", value: form({ a: { type: "array" } }) },
          { op: "replace", path: "/request/mode", value: "confirm" },
        ],
        level: "NOTE",
      },
      keyword("required-stranger", "asks for a field that there is not", "required", ["flour", "sugar"]),
    ],
  },
];
