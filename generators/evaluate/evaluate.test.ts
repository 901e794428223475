import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import type { Model } from "../model/model.ts";
import { agreement } from "../testing/agreement.fixture.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { isValid } from "./evaluate.ts";

/** Instances as JSON text, since `1.0` and `__proto__` cannot be written as such in JavaScript. */
type Row = [what: string, schema: JsonObject, valid: string[], invalid: string[]];

const modelOf = (schema: JsonObject): Promise<Model> => compileModel([document(schema)], id);
const declaresA = { properties: { a: true } };
const closedMembers = { unevaluatedProperties: false };
const closedItems = { unevaluatedItems: false };

const rows: Row[] = [
  ["type integer", { type: "integer" }, ["1", "1.0", "-0", "1e3"], ["1.5", '"1"', "true", "null", "[1]"]],
  ["type number", { type: "number" }, ["1", "1.5"], ['"1"', "null"]],
  ["type object", { type: "object" }, ["{}"], ["[]", "null"]],
  ["several types", { type: ["array", "null"] }, ["[]", "null"], ["{}", "0", "false", '""']],
  [
    "enum",
    { enum: [1, { a: [1], b: 2 }, [false]] },
    ["1.0", '{"b":2,"a":[1]}'],
    ["true", '"1"', "[0]", "[]", '{"a":[1]}'],
  ],
  ["const", { const: { a: null } }, ['{"a":null}'], ["{}", '{"a":0}', '{"a":null,"b":1}']],
  ["const false", { const: false }, ["false"], ["0", "null", '""']],
  ["minimum", { minimum: 1 }, ["1", "1.0", '"0"'], ["0.9999999"]],
  ["exclusiveMinimum", { exclusiveMinimum: 1 }, ["1.0000001"], ["1", "1.0"]],
  ["exclusiveMaximum", { exclusiveMaximum: 1 }, ["0.9999999", "null"], ["1", "2"]],
  ["multipleOf 0.01", { multipleOf: 0.01 }, ["0", "0.01", "0.75", "12"], ["0.005", "0.755"]],
  ["multipleOf 0.07", { multipleOf: 0.07 }, ["0.28", "0.07", "-0.07"], ["0.2", "0.71"]],
  ["multipleOf 3", { multipleOf: 3 }, ["-3", "0", "9007199254740990"], ["1", "1.5"]],
  ["minLength in code points", { minLength: 2 }, ['"😀😀"', '"é́"', "1"], ['"😀"', '"\\u00e9"']],
  ["maxLength in code points", { maxLength: 1 }, ['"😀"', '""'], ['"😀a"', '"e\\u0301"']],
  ["pattern anywhere", { pattern: "b" }, ['"abc"', "1"], ['"ac"']],
  ["pattern by code points", { pattern: "^.$" }, ['"😀"'], ['"\\n"', '"ab"', '""']],
  ["pattern up to the very end", { pattern: "^a$" }, ['"a"'], ['"a\\n"']],
  ["required of own members", { required: ["toString", "__proto__"] }, ['{"toString":1,"__proto__":1}', "[]"], ["{}"]],
  ["minProperties", { minProperties: 1 }, ['{"__proto__":1}', "[]"], ["{}"]],
  ["maxProperties", { maxProperties: 1 }, ['{"a":1}'], ['{"a":1,"__proto__":1}']],
  ["properties of own members", { properties: { toString: false } }, ["{}"], ['{"toString":1}']],
  [
    "additionalProperties",
    { ...declaresA, additionalProperties: false },
    ['{"a":1}'],
    ['{"__proto__":1}', '{"toString":1}'],
  ],
  [
    "additionalProperties beside patterns",
    { patternProperties: { "^x-": true }, additionalProperties: { type: "null" } },
    ['{"x-1":1}', '{"a":null}'],
    ['{"ax-":1}'],
  ],
  [
    "several patternProperties",
    { patternProperties: { a: { minimum: 1 }, b: { maximum: 2 } } },
    ['{"ab":1}'],
    ['{"ab":3}'],
  ],
  ["propertyNames", { propertyNames: { maxLength: 1 } }, ['{"😀":1}'], ['{"ab":1}', '{"__proto__":1}']],
  ["dependentRequired", { dependentRequired: { a: ["b"], c: [] } }, ["{}", '{"b":1}', '{"c":1}'], ['{"a":1}']],
  ["dependentSchemas", { dependentSchemas: { a: { maxProperties: 1 } } }, ['{"b":1,"c":1}'], ['{"a":1,"b":1}']],
  [
    "uniqueItems",
    { uniqueItems: true },
    ["[1,true]", "[[0],[false]]", '["1",1]'],
    ["[1,1.0]", '[{"a":1,"b":2},{"b":2,"a":1}]'],
  ],
  ["uniqueItems false", { uniqueItems: false }, ["[1,1]"], []],
  [
    "prefixItems and items",
    { prefixItems: [{ type: "null" }], items: false },
    ["[]", "[null]"],
    ["[1]", "[null,null]"],
  ],
  ["contains", { contains: { const: 1 } }, ["[2,1.0]", "{}"], ["[]", "[2]"]],
  ["minContains 0", { contains: { const: 1 }, minContains: 0 }, ["[]", "[2]"], []],
  [
    "minContains and maxContains",
    { contains: { const: 1 }, minContains: 2, maxContains: 2 },
    ["[1,2,1]"],
    ["[1]", "[1,1,1]"],
  ],
  ["minContains alone", { minContains: 3 }, ["[]"], []],
  ["oneOf", { oneOf: [{ minimum: 1 }, { maximum: 2 }] }, ["0", "3"], ["1", '"a"']],
  ["not", { not: { required: ["a"] } }, ["{}"], ['{"a":1}', "[]"]],
  ["if, then, else", { if: { minimum: 1 }, then: { multipleOf: 2 }, else: { const: 0 } }, ["2", "0"], ["1", "-1"]],
  ["then without if", { then: false, else: false }, ["1"], []],
  ["a false branch", { properties: { a: false } }, ["{}"], ['{"a":null}']],
  [
    "unevaluatedProperties beside properties",
    { ...declaresA, ...closedMembers },
    ['{"a":1}', "[]"],
    ['{"b":1}', '{"toString":1}'],
  ],
  ["… beside patternProperties", { patternProperties: { "^a": true }, ...closedMembers }, ['{"ab":1}'], ['{"b":1}']],
  ["… beside additionalProperties", { additionalProperties: true, ...closedMembers }, ['{"b":1}'], []],
  [
    "… with allOf",
    { allOf: [declaresA, { properties: { b: true } }], ...closedMembers },
    ['{"a":1,"b":1}'],
    ['{"c":1}'],
  ],
  [
    "… with anyOf: every branch that holds",
    {
      anyOf: [
        { ...declaresA, required: ["a"] },
        { properties: { b: true }, required: ["b"] },
      ],
      ...closedMembers,
    },
    ['{"a":1}', '{"a":1,"b":1}'],
    ['{"a":1,"c":1}'],
  ],
  [
    "… with anyOf: not a branch that fails",
    { anyOf: [{ ...declaresA, required: ["b"] }, true], ...closedMembers },
    ["{}"],
    ['{"a":1}'],
  ],
  [
    "… with oneOf",
    { oneOf: [{ ...declaresA, required: ["a"] }, { maxProperties: 0 }], ...closedMembers },
    ["{}", '{"a":1}'],
    ['{"a":1,"b":1}'],
  ],
  ["… with if that holds", { if: { ...declaresA, required: ["a"] }, ...closedMembers }, ['{"a":1}', "{}"], ['{"b":1}']],
  [
    "… with then and else",
    { if: { required: ["a"] }, then: declaresA, else: { properties: { b: true } }, ...closedMembers },
    ['{"a":1}', '{"b":1}'],
    ['{"a":1,"b":1}'],
  ],
  ["… with not: nothing is evaluated", { not: { not: declaresA }, ...closedMembers }, ["{}"], ['{"a":1}']],
  ["… with dependentSchemas", { dependentSchemas: { a: declaresA }, ...closedMembers }, ['{"a":1}', "{}"], ['{"b":1}']],
  ["… with $ref", { $ref: "#/$defs/a", $defs: { a: declaresA }, ...closedMembers }, ['{"a":1}'], ['{"b":1}']],
  ["… of a cousin", { allOf: [declaresA, closedMembers] }, ["{}"], ['{"a":1}']],
  [
    "… of a nested schema that takes all",
    { allOf: [{ unevaluatedProperties: true }], ...closedMembers },
    ['{"a":1}'],
    [],
  ],
  ["unevaluatedItems beside prefixItems", { prefixItems: [true], ...closedItems }, ["[]", "[1]", "{}"], ["[1,1]"]],
  ["… beside items", { prefixItems: [true], items: true, ...closedItems }, ["[1,1]"], []],
  [
    "… beside contains",
    { prefixItems: [true], contains: { const: 2 }, ...closedItems },
    ["[1,2,2]", "[2]"],
    ["[1,2,3]", "[2,1]"],
  ],
  [
    "… with allOf and if",
    { allOf: [{ prefixItems: [true] }], if: { prefixItems: [true, { const: 1 }] }, ...closedItems },
    ["[0,1]", "[0]"],
    ["[0,0]"],
  ],
  [
    "… with anyOf",
    { anyOf: [{ prefixItems: [{ const: 1 }] }, { prefixItems: [true, true] }], ...closedItems },
    ["[1]", "[0,0]"],
    ["[1,1,1]"],
  ],
  ["… with not", { not: { prefixItems: [{ const: 1 }] }, ...closedItems }, [], ["[]", "[2]"]],
  [
    "$ref beside its siblings, into itself",
    { $ref: "#/$defs/tree", maxProperties: 1, $defs: { tree: { properties: { left: { $ref: "#" } } } } },
    ["{}", '{"left":{"left":{}}}'],
    ['{"left":{"a":1,"b":1}}'],
  ],
  [
    "$dynamicRef to the outermost anchor",
    {
      $dynamicAnchor: "node",
      $ref: "tree",
      ...closedMembers,
      $defs: {
        tree: {
          $id: "tree",
          $dynamicAnchor: "node",
          properties: { data: true, children: { items: { $dynamicRef: "#node" } } },
        },
      },
    },
    ['{"children":[{"data":1}]}'],
    ['{"daat":1}', '{"children":[{"daat":1}]}'],
  ],
  [
    "$dynamicRef to an invalid anchor",
    {
      $ref: "list",
      $defs: {
        item: { $anchor: "item", type: "null" },
        list: { $id: "list", items: { $dynamicRef: "#item" }, $defs: { i: { $anchor: "item", type: "string" } } },
      },
    },
    ['["a"]'],
    ["[null]"],
  ],
];

describe("isValid", () => {
  it.each(rows)("%s", async (_what, schema, valid, invalid) => {
    const model = await modelOf(schema);
    const judge = await agreement(document(schema));
    for (const [verdict, texts] of [
      [true, valid],
      [false, invalid],
    ] as const) {
      for (const text of texts) {
        const instance = JSON.parse(text) as Json;
        expect([text, isValid(model, instance)]).toEqual([text, verdict]);
        expect([text, judge(instance)]).not.toEqual([text, !verdict]);
      }
    }
  });

  it("counts a value on which format implementations disagree as invalid by default", async () => {
    const model = await modelOf({ format: "date-time" });
    const doubtful = "2026-01-15 09:30:00Z";
    expect(isValid(model, doubtful)).toBe(false);
    expect(isValid(model, doubtful, { formatDoubt: true })).toBe(true);
    expect(isValid(model, "yesterday", { formatDoubt: true })).toBe(false);
  });

  it.each([
    [6.5200000000000005, 0.01, "by binary fractions alone"],
    [0.21000000000000002, 0.07, "by binary fractions alone"],
    [2147483647.0500002, 0.07, "by binary fractions alone"],
    [4.35, 0.01, "not by dividing"],
    [-0.3, 0.1, "not by binary fractions"],
    [5e-8, 1e-7, "by those who allow for rounding"],
    [1e23, 10, "not by those who print the quotient"],
  ])("is undecided whether %d is a multiple of %d, which it is %s", async (value, multipleOf) => {
    const model = await modelOf({ multipleOf });
    expect([true, false].map((formatDoubt) => isValid(model, value, { formatDoubt }))).toEqual([true, false]);
  });

  it("throws a RangeError for a reference loop", async () => {
    const model = await modelOf({ $ref: "#/$defs/a", $defs: { a: { $ref: "#" } } });
    expect(() => isValid(model, 1)).toThrow(RangeError);
  });
});

describe("isValid without one site", () => {
  it.each<[string, JsonObject, string, Json]>([
    ["a keyword", { minimum: 1 }, "minimum", 0],
    ["one entry of required", { required: ["a", "b"] }, "required/1", { a: 1 }],
    ["additionalProperties", { additionalProperties: false }, "additionalProperties", { a: 1 }],
    ["a branch that is false", { properties: { a: false } }, "properties/a", { a: 1 }],
    ["unevaluatedItems", { unevaluatedItems: false }, "unevaluatedItems", [1]],
    ["a keyword below a choice", { oneOf: [{ minimum: 1 }, { type: "string" }] }, "oneOf/0/minimum", 0],
  ])("%s", async (_what, schema, path, instance) => {
    const model = await modelOf(schema);
    expect(isValid(model, instance)).toBe(false);
    expect(isValid(model, instance, { without: `${id}#/${path}` })).toBe(true);
    expect(isValid(model, instance, { without: `${id}#/elsewhere` })).toBe(false);
  });

  it("keeps the other entries of required", async () => {
    const model = await modelOf({ required: ["a", "b"] });
    expect(isValid(model, {}, { without: `${id}#/required/1` })).toBe(false);
  });
});

describe("an observer of isValid", () => {
  it("is called for every keyword, with its location in the instance and its result", async () => {
    const model = await modelOf({ required: ["a/b"], properties: { "a/b": { items: { minimum: 1 } } } });
    const observations: [string, string, boolean][] = [];
    isValid(
      model,
      { "a/b": [0, 1] },
      { observe: ({ kind }, at, _value, holds) => observations.push([kind, at, holds]) },
    );
    expect(observations).toEqual([
      ["required", "", true],
      ["minimum", "/a~1b/0", false],
      ["minimum", "/a~1b/1", true],
      ["items", "/a~1b", false],
      ["properties", "", false],
    ]);
  });
});
