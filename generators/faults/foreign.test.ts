import { describe, expect, it } from "vitest";
import { isObject, type Json, type JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { plan } from "../corpus/plan.ts";
import { compileAjv } from "../oracle/ajv.ts";
import { document, id } from "../testing/schemas.fixture.ts";

const kind = (name: string, own: JsonObject): JsonObject => ({
  required: ["kind"],
  properties: { kind: { const: name }, ...own },
});
const closed = { additionalProperties: false };
const members = { a: { a: { type: "integer" } }, b: { b: { type: "boolean" } }, c: { c: { const: "see" } } };
const when = (name: string, then: JsonObject): JsonObject => ({
  if: { required: ["kind"], properties: { kind: { const: name } } },
  then,
});

/** Every member of the other branches in each branch. */
const each = ["a has b", "a has c", "b has a", "b has c", "c has a", "c has b"];

const unions: [string, JsonObject, string[]][] = [
  [
    "closed branches of oneOf",
    {
      type: "object",
      oneOf: [
        { ...kind("a", members.a), ...closed },
        { ...kind("b", members.b), ...closed },
        { ...kind("c", members.c), ...closed },
      ],
    },
    each,
  ],
  [
    "branches of oneOf in an object that is closed",
    {
      type: "object",
      oneOf: [kind("a", members.a), kind("b", members.b), kind("c", members.c)],
      unevaluatedProperties: false,
    },
    each,
  ],
  [
    "a chain of conditions in an object that is closed",
    {
      type: "object",
      required: ["kind"],
      properties: { kind: { enum: ["a", "b", "c"] } },
      allOf: [
        when("a", { properties: members.a }),
        when("b", { properties: members.b }),
        when("c", { properties: members.c }),
      ],
      unevaluatedProperties: false,
    },
    each,
  ],
  [
    "conditions with closed consequences",
    {
      type: "object",
      required: ["kind"],
      properties: { kind: { enum: ["a", "b", "c"] } },
      allOf: [
        when("a", { ...closed, properties: { kind: true, ...members.a } }),
        when("b", { ...closed, properties: { kind: true, ...members.b } }),
        when("c", { ...closed, properties: { kind: true, ...members.c } }),
      ],
    },
    each,
  ],
  [
    "both sides of a condition",
    {
      type: "object",
      required: ["kind"],
      properties: { kind: { enum: ["a", "b"] } },
      ...when("a", { ...closed, properties: { kind: true, ...members.a } }),
      else: { ...closed, properties: { kind: true, ...members.b } },
    },
    ["a has b", "b has a"],
  ],
  [
    "conditions that rule members out",
    {
      type: "object",
      required: ["kind"],
      properties: { kind: { enum: ["a", "b", "c"] }, ...members.a, ...members.b, ...members.c },
      allOf: [
        when("a", { not: { anyOf: [{ required: ["b"] }, { required: ["c"] }] } }),
        when("b", { properties: { a: false, c: false } }),
        when("c", { not: { required: ["a"] }, properties: { b: false } }),
      ],
    },
    each,
  ],
];

describe("members of other branches", () => {
  it.each(unions)("are tested on %s, with their value there", async (_name, schema, wanted) => {
    const model = await compileModel([document(schema)], id);
    const { invalid } = plan({ model, samples: [], elsewhere: new Set() }, [document(schema)]);
    const right: Record<string, (value: Json) => boolean> = {
      a: (value) => Number.isInteger(value),
      b: (value) => typeof value === "boolean",
      c: (value) => value === "see",
    };
    const accepts = compileAjv([document(schema)], id, "quick");
    const found = invalid.flatMap(({ data }) => {
      if (!isObject(data)) return [];
      const own = String(data.kind);
      return Object.keys(right)
        .filter((name) => name !== own && right[name]?.(data[name] as Json) === true && !accepts(data))
        .map((name) => `${own} has ${name}`);
    });
    expect([...new Set(found)].sort()).toEqual(expect.arrayContaining(wanted));
  });
});
