import { describe, expect, it } from "vitest";
import { isObject, type Json, type JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { planVectors } from "../corpus/plan.ts";
import { compileAjv } from "../oracle/ajv.ts";
import { document, id } from "../testing/schemas.fixture.ts";

const kindSchema = (name: string, ownMembers: JsonObject): JsonObject => ({
  required: ["kind"],
  properties: { kind: { const: name }, ...ownMembers },
});
const closed = { additionalProperties: false };
const members = { a: { a: { type: "integer" } }, b: { b: { type: "boolean" } }, c: { c: { const: "see" } } };
const conditionFor = (name: string, then: JsonObject): JsonObject => ({
  if: { required: ["kind"], properties: { kind: { const: name } } },
  then,
});

/** Every member of the other branches in each branch. */
const allPairs = ["a has b", "a has c", "b has a", "b has c", "c has a", "c has b"];

const unions: [string, JsonObject, string[]][] = [
  [
    "closed branches of oneOf",
    {
      type: "object",
      oneOf: [
        { ...kindSchema("a", members.a), ...closed },
        { ...kindSchema("b", members.b), ...closed },
        { ...kindSchema("c", members.c), ...closed },
      ],
    },
    allPairs,
  ],
  [
    "branches of oneOf in an object that is closed",
    {
      type: "object",
      oneOf: [kindSchema("a", members.a), kindSchema("b", members.b), kindSchema("c", members.c)],
      unevaluatedProperties: false,
    },
    allPairs,
  ],
  [
    "a chain of conditions in an object that is closed",
    {
      type: "object",
      required: ["kind"],
      properties: { kind: { enum: ["a", "b", "c"] } },
      allOf: [
        conditionFor("a", { properties: members.a }),
        conditionFor("b", { properties: members.b }),
        conditionFor("c", { properties: members.c }),
      ],
      unevaluatedProperties: false,
    },
    allPairs,
  ],
  [
    "conditions with closed consequences",
    {
      type: "object",
      required: ["kind"],
      properties: { kind: { enum: ["a", "b", "c"] } },
      allOf: [
        conditionFor("a", { ...closed, properties: { kind: true, ...members.a } }),
        conditionFor("b", { ...closed, properties: { kind: true, ...members.b } }),
        conditionFor("c", { ...closed, properties: { kind: true, ...members.c } }),
      ],
    },
    allPairs,
  ],
  [
    "both sides of a condition",
    {
      type: "object",
      required: ["kind"],
      properties: { kind: { enum: ["a", "b"] } },
      ...conditionFor("a", { ...closed, properties: { kind: true, ...members.a } }),
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
        conditionFor("a", { not: { anyOf: [{ required: ["b"] }, { required: ["c"] }] } }),
        conditionFor("b", { properties: { a: false, c: false } }),
        conditionFor("c", { not: { required: ["a"] }, properties: { b: false } }),
      ],
    },
    allPairs,
  ],
];

describe("members of other branches", () => {
  it.each(unions)(
    "are added to %s, with values that are valid in their own branch",
    async (_name, schema, expected) => {
      const model = await compileModel([document(schema)], id);
      const { invalid } = planVectors({ model, samples: [], elsewhere: new Set() }, [document(schema)]);
      const isValidMember: Record<string, (value: Json) => boolean> = {
        a: (value) => Number.isInteger(value),
        b: (value) => typeof value === "boolean",
        c: (value) => value === "see",
      };
      const accepts = compileAjv([document(schema)], id, "quick");
      const injected = invalid.flatMap(({ data }) => {
        if (!isObject(data)) return [];
        const ownKind = String(data.kind);
        return Object.keys(isValidMember)
          .filter((name) => name !== ownKind && isValidMember[name]?.(data[name] as Json) === true && !accepts(data))
          .map((name) => `${ownKind} has ${name}`);
      });
      expect([...new Set(injected)].sort()).toEqual(expect.arrayContaining(expected));
    },
  );
});
