import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { independentConditionals, lifeCycle } from "../testing/conditionals.fixture.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { type Solution, type SolveOptions, solutions, solve } from "./solve.ts";

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);
const letters = range(12).map((index) => String.fromCharCode(97 + index));

async function modelOf(schema: JsonObject) {
  return await compileModel([document(schema)], id);
}

async function ask(schema: JsonObject, sign = true, options: SolveOptions = {}): Promise<Solution> {
  const model = await modelOf(schema);
  const solution = solve(model, [{ op: "schema", node: model.root, sign, scope: {} }], options);
  if ("found" in solution) expect([solution.found, isValid(model, solution.found)]).toEqual([solution.found, sign]);
  return solution;
}

const outcomeOf = (solution: Solution): string => Object.keys(solution)[0] as string;

describe("solve finds", () => {
  it.each(["date-time", "time", "duration", "uri", "iri-reference", "uri-template", "json-pointer", "regex"])(
    "a long string of the format %s",
    async (format) => {
      for (const length of [36, 40, 100, 5000])
        expect(await ask({ type: "string", format, minLength: length })).toHaveProperty("found");
    },
  );

  it.each<[string, JsonObject]>([
    [
      "items for contains that are not adjacent",
      {
        prefixItems: [{ const: 1 }, { const: 2 }, { const: 1 }],
        minItems: 3,
        maxItems: 3,
        contains: { const: 1 },
        minContains: 2,
      },
    ],
    ["a multiple below a very large bound", { type: "number", maximum: 1e308, multipleOf: 0.5 }],
    [
      "more items for contains than its minimum",
      { prefixItems: [{ const: 1 }, { const: 1 }, { const: 5 }], minItems: 3, contains: { const: 1 }, maxContains: 2 },
    ],
    [
      "no item for contains with minContains 0",
      { minItems: 2, contains: { type: "string" }, minContains: 0, maxContains: 0 },
    ],
    [
      "different items if the first choice must be revoked",
      { prefixItems: [{ enum: [1, 2] }, { const: 1 }], minItems: 2, uniqueItems: true },
    ],
    [
      "a repeated item that only two positions can share",
      { prefixItems: [{ enum: [1, 2] }, { const: 2 }], minItems: 2, maxItems: 2, not: { uniqueItems: true } },
    ],
    [
      "all different arrays of a small set",
      { minItems: 6, uniqueItems: true, items: { type: "array", items: { type: "boolean" }, maxItems: 2 } },
    ],
    [
      "all different objects of a small set",
      {
        minItems: 4,
        uniqueItems: true,
        items: {
          type: "object",
          required: ["a", "b"],
          properties: { a: { type: "boolean" }, b: { type: "boolean" } },
          additionalProperties: false,
        },
      },
    ],
    [
      "an item for each of three demands beyond the prefix",
      { allOf: [1, 2, 3].map((value) => ({ not: { prefixItems: [true, true], items: { not: { const: value } } } })) },
    ],
    ["an array that is not on a list", { type: "array", not: { enum: [[], [""], ["a"]] } }],
    ["three hundred different strings", { type: "array", minItems: 300, uniqueItems: true, items: { type: "string" } }],
    [
      "three hundred different integers",
      { type: "array", minItems: 300, uniqueItems: true, items: { type: "integer", minimum: 1000 } },
    ],
    ["an object that is not empty", { type: "object", not: { const: {} } }],
    [
      "another value for a member",
      {
        type: "object",
        required: ["a"],
        properties: { a: true },
        additionalProperties: false,
        not: { enum: [{ a: "" }, { a: "a" }] },
      },
    ],
    [
      "a long name if all short names of its pattern are excluded",
      {
        type: "object",
        patternProperties: { "^x.?$": false },
        not: { patternProperties: { "^x": { type: "string" } } },
      },
    ],
    [
      "many names that match a pattern",
      { type: "object", minProperties: 30, propertyNames: { pattern: "^[a-c]{1,5}$" } },
    ],
    [
      "names for several demands on names",
      { type: "object", propertyNames: { pattern: "^." }, not: { propertyNames: { const: "2" } } },
    ],
    [
      "a hundred different characters",
      { type: "array", minItems: 100, uniqueItems: true, items: { type: "string", minLength: 1, maxLength: 1 } },
    ],
    [
      "a letter beyond the alphabet",
      {
        type: "string",
        minLength: 1,
        maxLength: 1,
        not: { enum: range(26).map((index) => String.fromCharCode(97 + index)) },
      },
    ],
    [
      "a number between bounds and multiples",
      { multipleOf: 0.01, allOf: [{ multipleOf: 0.015 }], minimum: 0.02, maximum: 0.04 },
    ],
    [
      "the one integer left",
      { type: "integer", minimum: 1, maximum: 60, not: { enum: range(60).filter((value) => value !== 37) } },
    ],
    ["a number that is not a multiple", { type: "number", not: { multipleOf: 0.5 } }],
    [
      "members that a nested schema evaluates",
      { type: "object", minProperties: 1, allOf: [{ unevaluatedProperties: true }], unevaluatedProperties: false },
    ],
    [
      "items that a nested schema evaluates",
      { type: "array", minItems: 1, allOf: [{ unevaluatedItems: { type: "string" } }], unevaluatedItems: false },
    ],
    [
      "a member for each of two of twelve branches",
      {
        type: "object",
        required: ["a", "l"],
        anyOf: letters.map((name) => ({ properties: { [name]: true }, required: [name] })),
        unevaluatedProperties: false,
      },
    ],
    ["an item of a recursive list", { type: "array", minItems: 1, items: { anyOf: [{ $ref: "#" }, { const: 0 }] } }],
    [
      "strings that match patterns without an automaton",
      {
        type: "array",
        minItems: 2,
        prefixItems: [
          { pattern: "^(ab|c)-\\1$", type: "string" },
          { pattern: "^[a-z]{1,70000}$", minLength: 900, type: "string" },
        ],
      },
    ],
    ["a string that matches a pattern and a format", { type: "string", format: "date-time", pattern: "\\.\\d{3}Z$" }],
    [
      "a multiple far from 0",
      {
        type: "number",
        allOf: [6.75, 19, 9.5, 2.125].map((multipleOf) => ({ multipleOf })),
        maximum: -10_000,
        not: { anyOf: [2, 5, 7, 11, 37].map((multipleOf) => ({ multipleOf })) },
      },
    ],
    [
      "items of three kinds beside fixed items",
      {
        type: "array",
        allOf: [
          { contains: { type: "null" }, minContains: 5, maxContains: 5 },
          { contains: { type: "integer" }, minContains: 2, maxContains: 2 },
          { contains: { type: "boolean" }, minContains: 3, maxContains: 3 },
          { prefixItems: [true, true, { const: 30 }, { const: "a" }, { const: 50 }], minItems: 5 },
        ],
      },
    ],
    [
      "a name that several demands share",
      {
        type: "object",
        maxProperties: 2,
        propertyNames: { pattern: "^..$" },
        allOf: ["a", "b", "c", "d"].map((pattern) => ({ not: { propertyNames: { not: { pattern } } } })),
        patternProperties: { "[bc]{2}": false },
      },
    ],
    [
      "names that match only one of eight patterns",
      {
        type: "object",
        minProperties: 2,
        additionalProperties: false,
        patternProperties: Object.fromEntries(
          ["^a", "^b", "^c", "^d", "x$", "y$", "z$"].map((pattern) => [pattern, false]).concat([["^[a-f]w$", true]]),
        ),
      },
    ],
    [
      "a value nested thirty levels deep",
      {
        $ref: "#/$defs/c0",
        allOf: [{ $ref: "#/$defs/d0" }, { $ref: "#/$defs/e0" }],
        $defs: Object.fromEntries(
          [2, 3, 5].flatMap((period, chainIndex) =>
            range(period).map((step) => [
              `${"cde"[chainIndex]}${step}`,
              {
                type: "object",
                properties: { a: { $ref: `#/$defs/${"cde"[chainIndex]}${(step + 1) % period}` } },
                additionalProperties: false,
                ...(step === period - 1 ? {} : { required: ["a"] }),
              },
            ]),
          ),
        ),
      },
    ],
    [
      "another email address of the same length",
      { type: "string", format: "email", minLength: 6, maxLength: 6, not: { const: "a@b.co" } },
    ],
    ["a host of any length", { type: "string", format: "hostname", minLength: 200 }],
    [
      "many words of one length",
      { type: "array", items: { type: "string", pattern: "^[a-z]{8}$" }, minItems: 40, uniqueItems: true },
    ],
    [
      "many values of a format",
      { type: "array", items: { type: "string", format: "uuid" }, minItems: 99, uniqueItems: true },
    ],
    [
      "many names",
      { type: "object", patternProperties: { "^[a-z]{2}$": true }, additionalProperties: false, minProperties: 50 },
    ],
    [
      "one of many branches that are hard to avoid together",
      {
        oneOf: range(40).map((index) => ({
          type: "object",
          required: ["action", "sender"],
          properties: {
            action: { type: "string" },
            sender: {
              type: "object",
              required: ["id"],
              properties: { id: { type: "integer" }, name: { type: "string" } },
            },
            [`part${index}`]: {
              type: "object",
              required: ["x", "y"],
              properties: { x: { type: "integer" }, y: { type: "string" } },
            },
          },
          anyOf: [{ required: [`part${index}`] }, { required: [`part${(index + 1) % 40}`] }],
        })),
      },
    ],
  ])("%s", async (_title, schema) => {
    expect(outcomeOf(await ask(schema))).toBe("found");
  });
});

it.each([
  [{ multipleOf: 0.07, exclusiveMinimum: 0.15, maximum: 1 }, 0.28],
  [{ multipleOf: 0.07, exclusiveMinimum: 2147483647 }, 2147483647.4],
  [{ multipleOf: 0.1, minimum: 0.3, maximum: 0.4 }, 0.4],
  [{ multipleOf: 0.01, minimum: 4.35, maximum: 4.36 }, 4.36],
])("solve makes multiples in decimal that all readers accept: %j", async (schema, number) => {
  expect(await ask({ type: "number", ...schema })).toEqual({ found: number });
});

describe("solve learns from conflicts, and finds", () => {
  const unevaluated = { unevaluatedProperties: false };

  it.each<[string, JsonObject]>([
    ["a message of a life cycle of forty conditionals", lifeCycle],
    ["the same message without undeclared members", { ...lifeCycle, ...unevaluated }],
    ["the same message without required members", { ...lifeCycle, required: [] }],
    ["a member for each of two hundred independent conditionals", independentConditionals(200)],
  ])("%s", async (_title, schema) => {
    expect(outcomeOf(await ask(schema))).toBe("found");
    // A plain search gives up with this budget.
    const steps = { manner: "learning", budget: 5000 } as const;
    expect([
      outcomeOf(await ask(schema, true, steps)),
      outcomeOf(await ask(schema, true, { ...steps, manner: "plain" })),
    ]).toEqual(["found", schema.$ref === undefined ? "found" : "gaveUp"]);
  });

  it("another member if one is impossible, or proves that there is none", async () => {
    const contradictory = {
      type: "object",
      properties: { a: { type: "string" } },
      allOf: [{ properties: { a: { pattern: "^b" } } }],
    };
    const anyOf = [{ required: ["a"], properties: { a: { pattern: "^a" } } }, { required: ["b"] }];
    const learning = { manner: "learning" } as const;
    expect(await ask({ ...contradictory, anyOf }, true, learning)).toEqual({ found: { b: "" } });
    expect(await ask({ ...contradictory, anyOf, maxProperties: 0 }, true, learning)).toEqual({ none: true });
  });

  it("no message with a contradictory life cycle", async () => {
    const bound = { properties: { status: { const: "bound" }, version: { pattern: "^2" } } };
    expect(await ask({ ...lifeCycle, ...bound })).toEqual({ none: true });
  });

  it("a message that meets each condition, or proves that there is none", async () => {
    const { allOf, ...rest } = lifeCycle as { allOf: { if: JsonObject }[] } & JsonObject;
    const outcomes = [];
    for (const conditional of allOf)
      outcomes.push(outcomeOf(await ask({ ...rest, allOf: [...allOf, conditional.if] })));
    expect(outcomes.filter((result) => result === "gaveUp")).toEqual([]);
    expect(outcomes.filter((result) => result === "found").length).toBeGreaterThan(5);
    expect(outcomes.filter((result) => result === "none").length).toBeGreaterThan(5);
  });
});

describe("solve proves that there is no value for", () => {
  it.each<[string, JsonObject, boolean?]>([
    ["two types", { type: "string", allOf: [{ type: "null" }] }],
    ["an empty range", { type: "number", minimum: 2, exclusiveMaximum: 2 }],
    ["an integer in a gap", { type: "integer", exclusiveMinimum: 1, exclusiveMaximum: 2 }],
    ["a fraction that is a multiple of an integer", { type: "number", multipleOf: 2, not: { type: "integer" } }],
    ["a multiple of four that is not one of two", { type: "integer", multipleOf: 4, not: { multipleOf: 2 } }],
    ["patterns that no string matches together", { type: "string", pattern: "^a", allOf: [{ pattern: "^b" }] }],
    [
      "a tree without leaves",
      { type: "object", required: ["left", "right"], properties: { left: { $ref: "#" }, right: { $ref: "#" } } },
    ],
    ["a list that is never empty", { type: "array", minItems: 1, items: { $ref: "#" } }],
    [
      "an invalid value if only an infinite one is invalid",
      { patternProperties: { "^a": { $ref: "#" } }, prefixItems: [{ $ref: "#" }] },
      false,
    ],
    [
      "two schemas that require each other without end",
      {
        type: "object",
        required: ["a"],
        properties: { a: { $ref: "#/$defs/b" } },
        $defs: { b: { type: "array", minItems: 1, items: { $ref: "#" } } },
      },
    ],
    [
      "a format and a pattern that no string matches together",
      { type: "string", format: "uuid", pattern: "^[0-9a-f-]{7}aaaa" },
    ],
    ["a number between two decimal multiples", { type: "number", multipleOf: 0.07, minimum: 0.15, maximum: 0.2 }],
    ["a number between two multiples", { type: "number", multipleOf: 2.5, minimum: 1001, maximum: 1002 }],
    [
      "multiples that a whole period excludes",
      {
        type: "integer",
        multipleOf: 6,
        not: { anyOf: [{ multipleOf: 4 }, { multipleOf: 14 }, { not: { multipleOf: 7 } }] },
      },
    ],
    [
      "more items of different kinds than there is room for",
      {
        type: "array",
        maxItems: 9,
        allOf: ["null", "integer", "boolean", "string"].map((type) => ({
          contains: { type },
          minContains: type === "null" ? 4 : 2,
        })),
      },
    ],
    [
      "one member that would need two names",
      {
        type: "object",
        maxProperties: 1,
        allOf: ["^a$", "^b$"].map((pattern) => ({ not: { propertyNames: { not: { pattern } } } })),
      },
    ],
    ["a pattern that is too long", { type: "string", pattern: "^a{5}$", maxLength: 4 }],
    [
      "too few values for different items",
      { type: "array", items: { enum: [1, 2, 3] }, minItems: 4, uniqueItems: true },
    ],
    ["a member that is both required and forbidden", { type: "object", required: ["a"], properties: { a: false } }],
    [
      "more members than a closed object has",
      { type: "object", minProperties: 3, properties: { a: true, b: true }, additionalProperties: false },
    ],
    ["more names than a pattern has", { type: "object", minProperties: 3, propertyNames: { enum: ["a", "b"] } }],
    [
      "a member beyond those of a closed object",
      {
        type: "object",
        properties: { a: true },
        additionalProperties: false,
        not: { properties: { a: true }, additionalProperties: false },
      },
    ],
    ["the negation of a schema that accepts everything", {}, false],
    ["the negation of a branch that always holds", { anyOf: [{ type: "null" }, true] }, false],
    [
      "an unevaluated member if a nested schema evaluates all",
      { allOf: [{ unevaluatedProperties: true }], unevaluatedProperties: false },
      false,
    ],
    [
      "twelve choices for eleven members",
      {
        type: "object",
        maxProperties: 11,
        allOf: letters.map((name) => ({
          oneOf: [1, 2].map((value) => ({ required: [name], properties: { [name]: { const: value } } })),
        })),
      },
    ],
  ])("%s", async (_title, schema, sign) => {
    expect(await ask(schema, sign)).toEqual({ none: true });
  });
});

describe("solve gives up, and reports that, on", () => {
  it.each([
    ["many strings", "^2[0-9]{3}-01-01 01:00:00Z$", "2000-01-01 01:00:00Z"],
    ["the only string", "^2000-01-01 01:00:00Z$", "2000-01-01 01:00:00Z"],
    ["the last of two strings", "^(?:x|2000-01-01 01:00:00Z)$", "2000-01-01 01:00:00Z"],
  ])("%s on which validators disagree", async (_title, pattern, text) => {
    const schema = { type: "string", pattern, not: { anyOf: [{ format: "date-time" }, { const: "x" }] } };
    const reason = `gave up on a string: validators differ on whether "${text}" is of the format date-time`;
    expect(await ask(schema)).toEqual({ gaveUp: reason });
  });

  it.each<[string, JsonObject, boolean?]>([
    ["a string of a thousand million characters", { type: "string", minLength: 1e9 }],
    ["a million items", { type: "array", minItems: 1e6 }],
    ["a million members", { type: "object", minProperties: 1e6 }],
    ["four thousand different items", { type: "array", minItems: 4000, uniqueItems: true }],
    ["a reference to itself", { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }],
    [
      "a format and a pattern that few strings match together",
      { type: "string", format: "email", pattern: "^a{300}@" },
    ],
    [
      "an integer if many small ones are excluded",
      { type: "integer", not: { enum: range(8000).map((value) => value - 4000) } },
    ],
    [
      "twelve choices that compete for eleven items",
      {
        allOf: range(12).map((index) => ({
          oneOf: range(6).map((other) => ({ contains: { const: index * 10 + other } })),
        })),
        maxItems: 11,
        type: "array",
        minItems: 11,
      },
    ],
  ])("%s", async (_title, schema, sign) => {
    const solution = await ask(schema, sign, { budget: 20_000 });
    expect(solution).toEqual({ gaveUp: expect.stringMatching(/./) });
  });
});

describe("solve follows samples", () => {
  const person: JsonObject = {
    type: "object",
    required: ["name"],
    properties: {
      name: { type: "string" },
      age: { type: "integer", maximum: 150 },
      tags: { type: "array", items: { type: "string" } },
    },
  };

  it("makes only required members, or all declared ones", async () => {
    expect(await ask(person)).toEqual({ found: { name: "" } });
    const solution = await ask(person, true, { full: true });
    expect(Object.keys((solution as { found: JsonObject }).found)).toEqual(["name", "age", "tags"]);
  });

  it("makes an empty array despite `full` if it must be empty", async () => {
    expect(await ask({ type: "array", contains: true, not: { minItems: 1 } }, true, { full: true })).toEqual({
      none: true,
    });
    expect(await ask({ contains: true }, false, { full: true })).toEqual({ found: [] });
  });

  it("uses only the parts of the hint that fit", async () => {
    const hint = { name: "Ada", age: 200, tags: ["a"] };
    expect(await ask(person, true, { hint })).toEqual({ found: { name: "Ada" } });
    expect(await ask(person, true, { hint, full: true })).toEqual({
      found: { name: "Ada", age: expect.any(Number), tags: ["a"] },
    });
  });

  it("follows the branch of the hint", async () => {
    const schema = { oneOf: ["a", "b"].map((kind) => ({ required: ["kind"], properties: { kind: { const: kind } } })) };
    expect(await ask(schema, true, { hint: { kind: "b" } })).toEqual({ found: { kind: "b" } });
  });

  it("makes an own member named __proto__", async () => {
    const { found: object } = (await ask({ type: "object", required: ["__proto__"] })) as { found: JsonObject };
    expect(Object.keys(object)).toEqual(["__proto__"]);
  });
});

describe("solutions", () => {
  it("are different, and not more than requested", async () => {
    const model = await modelOf({ type: "object", properties: { a: { enum: [1, 2] } } });
    const found = [...solutions(model, [{ op: "schema", node: model.root, sign: true, scope: {} }], { limit: 4 })];
    const values = found.map((solution) => JSON.stringify((solution as { found: Json }).found));
    expect(values).toHaveLength(4);
    expect(new Set(values).size).toBe(4);
  });

  it("are all values if there are fewer than requested", async () => {
    const model = await modelOf({
      type: "array",
      items: { type: "boolean" },
      minItems: 2,
      maxItems: 2,
      uniqueItems: true,
    });
    const found = [...solutions(model, [{ op: "schema", node: model.root, sign: true, scope: {} }], { limit: 10 })];
    expect(found).toEqual([{ found: [true, false] }, { found: [false, true] }]);
  });
});
