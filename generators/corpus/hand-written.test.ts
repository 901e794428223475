import { describe, expect, it } from "vitest";
import { isObject, type Json, type JsonObject } from "../../schemas/index.ts";
import { formatHolds } from "../formats/check.ts";
import {
  type Check,
  lists,
  numbers,
  objects,
  rightChecks,
  texts,
  validator,
  vectorsOf,
} from "../testing/hand-written.fixture.ts";

const always: Check = () => true;

/** The keyword's own check, replaced by a wrong one at one location of an instance. */
const only = (where: string, keyword: string, wrong: Check): Readonly<Record<string, Check>> => ({
  [keyword]: (value, asserted, at, beside, visit) =>
    (at === where ? wrong : (rightChecks[keyword] as Check))(value, asserted, at, beside, visit),
});

type Wrong = Readonly<Record<string, Check>>;

const passedOver: Record<string, (index: number, length: number) => boolean> = {
  "the first": (index, length) => length > 1 && index === 0,
  "the last": (index, length) => length > 1 && index === length - 1,
  "all but the first": (index) => index > 0,
  "all but the last": (index, length) => index < length - 1,
  "the middle": (index, length) => index > 0 && index < length - 1,
};

/** Names are matched by another expression. */
const named = (expressionOf: (source: string) => RegExp): Wrong => ({
  patternProperties: objects((value, schemas: JsonObject, at, _, visit) =>
    Object.entries(schemas).every(([source, schema]) =>
      Object.entries(value).every(([name, each]) => !expressionOf(source).test(name) || visit(schema, each, at)),
    ),
  ),
  additionalProperties: objects((value, _asserted, _at, { patternProperties = {} }) =>
    Object.keys(value).every((name) =>
      Object.keys(patternProperties as JsonObject).some((source) => expressionOf(source).test(name)),
    ),
  ),
});

/** Whether a text is a date or a time. */
const isRight = (value: string): boolean => formatHolds(value.length > 10 ? "date-time" : "date", value) !== false;

/** Names, only some of which are checked. */
const namesThat = (isLookedAt: (index: number, length: number) => boolean): Wrong => ({
  propertyNames: objects((value, schema: Json, at, _, visit) =>
    Object.keys(value).every((name, index, { length }) => !isLookedAt(index, length) || visit(schema, name, at)),
  ),
});

const namesIn = (schema: JsonObject): string[] => Object.keys((schema.properties ?? {}) as JsonObject);
const branchesOf = (schema: JsonObject): JsonObject[] => (schema.allOf ?? []) as JsonObject[];
const open = (schema: JsonObject, names: string[]): JsonObject => ({
  ...schema,
  properties: { ...Object.fromEntries(names.map((name) => [name, true])), ...(schema.properties as JsonObject) },
});

/** Checks everything except values at certain depths below the root. */
const leavesAt = (isUnchecked: (depth: number) => boolean): Wrong => ({
  type: (value, asserted, at, beside, visit) =>
    (at.endsWith("/value") && isUnchecked(at.split("/children").length - 1)) ||
    (rightChecks.type as Check)(value, asserted, at, beside, visit),
});

const word: JsonObject = { type: "string", minLength: 3, maxLength: 6, pattern: "^[a-z]+$" };
const use = { $ref: "#/$defs/word" };

const schemas: [string, JsonObject, Record<string, Wrong>][] = [
  [
    "a definition that is used four times",
    {
      type: "object",
      properties: { one: use, two: use, all: { type: "array", items: use }, last: use },
      $defs: { word },
    },
    Object.fromEntries([
      ...["/one", "/two", "/all/0", "/last"].flatMap((at) =>
        ["type", "minLength", "maxLength", "pattern"].map((keyword): [string, Wrong] => [
          `does not check ${keyword} in ${at}`,
          only(at, keyword, always),
        ]),
      ),
      ["allows one character more in /two", only("/two", "maxLength", (value) => [...String(value)].length < 8)],
    ]),
  ],
  [
    "lists and maps",
    {
      type: "object",
      properties: {
        list: { type: "array", items: { type: "string" } },
        map: { type: "object", additionalProperties: { type: "integer" } },
      },
      additionalProperties: false,
    },
    Object.fromEntries(
      Object.entries(passedOver).flatMap(([says, isPassed]): [string, Wrong][] => [
        [
          `does not look at ${says} of several items`,
          {
            items: lists((value, schema: Json, at, _, visit) =>
              value.every((item, index) => isPassed(index, value.length) || visit(schema, item, `${at}/${index}`)),
            ),
          },
        ],
        [
          `does not look at ${says} of several members`,
          {
            additionalProperties: objects((value, schema: Json, at, { properties = {} }, visit) => {
              const names = Object.keys(value).filter((name) => !Object.hasOwn(properties as JsonObject, name));
              return names.every(
                (name, index) => isPassed(index, names.length) || visit(schema, value[name] as Json, `${at}/${name}`),
              );
            }),
          },
        ],
      ]),
    ),
  ],
  [
    "a map that is the whole schema",
    { type: "object", additionalProperties: { $ref: "#/$defs/count" }, $defs: { count: { type: "integer" } } },
    Object.fromEntries(
      Object.entries(passedOver).map(([says, isPassed]): [string, Wrong] => [
        `does not look at ${says} of several members`,
        {
          additionalProperties: objects((value, schema: Json, at, _, visit) =>
            Object.values(value).every(
              (each, index, { length }) => isPassed(index, length) || visit(schema, each, `${at}/${index}`),
            ),
          ),
        },
      ]),
    ),
  ],
  [
    "names by a pattern",
    {
      type: "object",
      properties: {
        map: { type: "object", patternProperties: { "^[a-z]+$": { type: "integer" } }, additionalProperties: false },
      },
    },
    {
      "leaves out the anchors": named((source) => new RegExp(source.replace(/[$^]/g, ""), "u")),
      "leaves out the first": named((source) => new RegExp(source.replace("^", ""), "u")),
      "leaves out the last": named((source) => new RegExp(source.replace("$", ""), "u")),
      "ignores the case": named((source) => new RegExp(source, "iu")),
    },
  ],
  [
    "names by a rule",
    {
      type: "object",
      properties: { map: { type: "object", propertyNames: { pattern: "^[a-z]{2,5}$" } } },
      propertyNames: { enum: ["map", "one", "two", "three"] },
    },
    {
      "looks only at the first": namesThat((index) => index === 0),
      "looks only at the last": namesThat((index, length) => index === length - 1),
      "passes over the last": namesThat((index, length) => length === 1 || index < length - 1),
    },
  ],
  [
    "objects that are closed in part",
    {
      type: "object",
      properties: {
        inner: { properties: { a: true }, allOf: [{ properties: { b: true }, additionalProperties: false }] },
        outer: { properties: { a: true }, allOf: [{ properties: { b: true } }], additionalProperties: false },
      },
    },
    {
      "allows in a branch what is declared outside": {
        allOf: (value, schemas, at, beside, visit) =>
          (schemas as JsonObject[]).every((schema) => visit(open(schema, namesIn(beside)), value, at)),
      },
      "allows outside what a branch declares": {
        additionalProperties: objects((value, schema: Json, at, beside, visit) => {
          const known = [beside, ...branchesOf(beside)].flatMap(namesIn);
          return Object.entries(value).every(([name, each]) => known.includes(name) || visit(schema, each, at));
        }),
      },
    },
  ],
  [
    "a tree",
    {
      $ref: "#/$defs/tree",
      $defs: {
        tree: {
          type: "object",
          required: ["value"],
          properties: { value: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/tree" } } },
        },
      },
    },
    {
      "does not check the value at depth 2": leavesAt((depth) => depth === 2),
      "does not check the value below depth 1": leavesAt((depth) => depth > 1),
      "does not check the value below depth 2": leavesAt((depth) => depth > 2),
    },
  ],
  [
    "integers without a minimum",
    { type: "object", properties: { plain: { type: "integer" }, number: { type: "number", maximum: 9 } } },
    Object.fromEntries(
      ["/plain", "/number"].map((at) => [
        `refuses what is below 0 in ${at}`,
        only(at, "type", (value) => (value as number) >= 0),
      ]),
    ),
  ],
  [
    "numbers, dates and constants",
    {
      type: "object",
      properties: {
        count: { type: "integer" },
        ratio: { type: "number", minimum: 0.5, maximum: 9.5 },
        zero: { const: 0 },
        nothing: { const: null },
        pair: { const: [1, 2] },
        both: { const: { a: 1, b: 2 } },
        word: { enum: ["open", "paid"] },
        set: { type: "array", uniqueItems: true },
        day: { type: "string", format: "date" },
        time: { type: "string", format: "date-time" },
      },
    },
    {
      "allows a millionth": {
        minimum: numbers((value, limit) => value >= limit - 1e-6),
        maximum: numbers((value, limit) => value <= limit + 1e-6),
      },
      "takes what is nearly an integer for one": only(
        "/count",
        "type",
        (value) => Math.abs((value as number) % 1) < 1e-6,
      ),
      "takes false for 0": only("/zero", "const", (value) => value === 0 || value === false),
      'takes "" for null': only("/nothing", "const", (value) => value === null || value === ""),
      "looks only at the beginning of a list": only("/pair", "const", (value) => String(value).startsWith("1,2")),
      "looks only at the members it knows": only(
        "/both",
        "const",
        (value) => isObject(value) && value.a === 1 && value.b === 2,
      ),
      "ignores the case of the second word": only(
        "/word",
        "enum",
        (value) => value === "open" || String(value).toLowerCase() === "paid",
      ),
      "compares items as texts": only("/set", "uniqueItems", (value) =>
        [value].flat().every((item, index, all) => all.map(String).indexOf(String(item)) === index),
      ),
      "compares items by reference": only(
        "/set",
        "uniqueItems",
        (value) => new Set([value].flat()).size === [value].flat().length,
      ),
      "knows no day before 1970": { format: texts((value) => value >= "1970" && isRight(value)) },
      "lets April have 31 days": { format: texts((value) => /-04-31/.test(value) || isRight(value)) },
      "has a month 0": { format: texts((value) => /-00-/.test(value) || isRight(value)) },
    },
  ],
];

describe.each(schemas)("of %s", async (_, schema, mistakes) => {
  const vectors = await vectorsOf(schema);
  const differing = (accepts: (data: Json) => boolean) => vectors.filter(({ data, valid }) => accepts(data) !== valid);

  it("no vector fails a correct validator", () => {
    expect(differing(validator(schema)).map(({ id }) => id)).toEqual([]);
  });

  it.each(Object.entries(mistakes))("some vector detects a validator that %s", (_, wrong) => {
    expect(differing(validator(schema, wrong))).not.toEqual([]);
  });
});
