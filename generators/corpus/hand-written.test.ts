import { describe, expect, it } from "vitest";
import { isObject, type Json, type JsonObject } from "../../schemas/index.ts";
import { formatHolds } from "../formats/check.ts";
import {
  arrays,
  type Check,
  correctChecks,
  numbers,
  objects,
  strings,
  validator,
  vectorsOf,
} from "../testing/hand-written.fixture.ts";

const always: Check = () => true;

/** Replaces a keyword's check by a wrong one at a single location of an instance. */
const replaceCheckAt = (location: string, keyword: string, wrongCheck: Check): Readonly<Record<string, Check>> => ({
  [keyword]: (value, asserted, at, beside, visit) =>
    (at === location ? wrongCheck : (correctChecks[keyword] as Check))(value, asserted, at, beside, visit),
});

type WrongChecks = Readonly<Record<string, Check>>;

const skippedParts: Record<string, (index: number, length: number) => boolean> = {
  "the first": (index, length) => length > 1 && index === 0,
  "the last": (index, length) => length > 1 && index === length - 1,
  "all but the first": (index) => index > 0,
  "all but the last": (index, length) => index < length - 1,
  "the middle": (index, length) => index > 0 && index < length - 1,
};

/** Matches member names with another expression than the schema's. */
const matchNamesBy = (expressionOf: (source: string) => RegExp): WrongChecks => ({
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

/** Whether a string is a date or a time. */
const isDateOrTime = (value: string): boolean => formatHolds(value.length > 10 ? "date-time" : "date", value) !== false;

/** Checks only some of the member names. */
const checkNames = (isChecked: (index: number, length: number) => boolean): WrongChecks => ({
  propertyNames: objects((value, schema: Json, at, _, visit) =>
    Object.keys(value).every((name, index, { length }) => !isChecked(index, length) || visit(schema, name, at)),
  ),
});

const namesIn = (schema: JsonObject): string[] => Object.keys((schema.properties ?? {}) as JsonObject);
const branchesOf = (schema: JsonObject): JsonObject[] => (schema.allOf ?? []) as JsonObject[];
const declareNames = (schema: JsonObject, names: string[]): JsonObject => ({
  ...schema,
  properties: { ...Object.fromEntries(names.map((name) => [name, true])), ...(schema.properties as JsonObject) },
});

/** Checks everything except values at certain depths below the root. */
const skipValuesAt = (isUnchecked: (depth: number) => boolean): WrongChecks => ({
  type: (value, asserted, at, beside, visit) =>
    (at.endsWith("/value") && isUnchecked(at.split("/children").length - 1)) ||
    (correctChecks.type as Check)(value, asserted, at, beside, visit),
});

const word: JsonObject = { type: "string", minLength: 3, maxLength: 6, pattern: "^[a-z]+$" };
const reference = { $ref: "#/$defs/word" };

const schemas: [string, JsonObject, Record<string, WrongChecks>][] = [
  [
    "a definition that is used four times",
    {
      type: "object",
      properties: { one: reference, two: reference, all: { type: "array", items: reference }, last: reference },
      $defs: { word },
    },
    Object.fromEntries([
      ...["/one", "/two", "/all/0", "/last"].flatMap((at) =>
        ["type", "minLength", "maxLength", "pattern"].map((keyword): [string, WrongChecks] => [
          `does not check ${keyword} in ${at}`,
          replaceCheckAt(at, keyword, always),
        ]),
      ),
      [
        "allows one character more in /two",
        replaceCheckAt("/two", "maxLength", (value) => [...String(value)].length < 8),
      ],
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
      Object.entries(skippedParts).flatMap(([says, isSkipped]): [string, WrongChecks][] => [
        [
          `does not check ${says} of several items`,
          {
            items: arrays((value, schema: Json, at, _, visit) =>
              value.every((item, index) => isSkipped(index, value.length) || visit(schema, item, `${at}/${index}`)),
            ),
          },
        ],
        [
          `does not check ${says} of several members`,
          {
            additionalProperties: objects((value, schema: Json, at, { properties = {} }, visit) => {
              const names = Object.keys(value).filter((name) => !Object.hasOwn(properties as JsonObject, name));
              return names.every(
                (name, index) => isSkipped(index, names.length) || visit(schema, value[name] as Json, `${at}/${name}`),
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
      Object.entries(skippedParts).map(([says, isSkipped]): [string, WrongChecks] => [
        `does not check ${says} of several members`,
        {
          additionalProperties: objects((value, schema: Json, at, _, visit) =>
            Object.values(value).every(
              (each, index, { length }) => isSkipped(index, length) || visit(schema, each, `${at}/${index}`),
            ),
          ),
        },
      ]),
    ),
  ],
  [
    "member names with a pattern",
    {
      type: "object",
      properties: {
        map: { type: "object", patternProperties: { "^[a-z]+$": { type: "integer" } }, additionalProperties: false },
      },
    },
    {
      "omits both anchors": matchNamesBy((source) => new RegExp(source.replace(/[$^]/g, ""), "u")),
      "omits the first anchor": matchNamesBy((source) => new RegExp(source.replace("^", ""), "u")),
      "omits the last anchor": matchNamesBy((source) => new RegExp(source.replace("$", ""), "u")),
      "ignores the case": matchNamesBy((source) => new RegExp(source, "iu")),
    },
  ],
  [
    "member names restricted by `propertyNames`",
    {
      type: "object",
      properties: { map: { type: "object", propertyNames: { pattern: "^[a-z]{2,5}$" } } },
      propertyNames: { enum: ["map", "one", "two", "three"] },
    },
    {
      "checks only the first": checkNames((index) => index === 0),
      "checks only the last": checkNames((index, length) => index === length - 1),
      "skips the last": checkNames((index, length) => length === 1 || index < length - 1),
    },
  ],
  [
    "partly closed objects",
    {
      type: "object",
      properties: {
        inner: { properties: { a: true }, allOf: [{ properties: { b: true }, additionalProperties: false }] },
        outer: { properties: { a: true }, allOf: [{ properties: { b: true } }], additionalProperties: false },
      },
    },
    {
      "allows members in a branch that only the outer schema declares": {
        allOf: (value, schemas, at, beside, visit) =>
          (schemas as JsonObject[]).every((schema) => visit(declareNames(schema, namesIn(beside)), value, at)),
      },
      "allows members in the outer schema that only a branch declares": {
        additionalProperties: objects((value, schema: Json, at, beside, visit) => {
          const knownNames = [beside, ...branchesOf(beside)].flatMap(namesIn);
          return Object.entries(value).every(([name, each]) => knownNames.includes(name) || visit(schema, each, at));
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
      "does not check the value at depth 2": skipValuesAt((depth) => depth === 2),
      "does not check the value below depth 1": skipValuesAt((depth) => depth > 1),
      "does not check the value below depth 2": skipValuesAt((depth) => depth > 2),
    },
  ],
  [
    "integers without a minimum",
    { type: "object", properties: { plain: { type: "integer" }, number: { type: "number", maximum: 9 } } },
    Object.fromEntries(
      ["/plain", "/number"].map((at) => [
        `refuses numbers below 0 in ${at}`,
        replaceCheckAt(at, "type", (value) => (value as number) >= 0),
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
      "tolerates a millionth beyond a bound": {
        minimum: numbers((value, limit) => value >= limit - 1e-6),
        maximum: numbers((value, limit) => value <= limit + 1e-6),
      },
      "accepts a number that is nearly an integer": replaceCheckAt(
        "/count",
        "type",
        (value) => Math.abs((value as number) % 1) < 1e-6,
      ),
      "accepts false as 0": replaceCheckAt("/zero", "const", (value) => value === 0 || value === false),
      'accepts "" as null': replaceCheckAt("/nothing", "const", (value) => value === null || value === ""),
      "compares only the beginning of a list": replaceCheckAt("/pair", "const", (value) =>
        String(value).startsWith("1,2"),
      ),
      "compares only known members": replaceCheckAt(
        "/both",
        "const",
        (value) => isObject(value) && value.a === 1 && value.b === 2,
      ),
      "ignores the case of the second word": replaceCheckAt(
        "/word",
        "enum",
        (value) => value === "open" || String(value).toLowerCase() === "paid",
      ),
      "compares items as strings": replaceCheckAt("/set", "uniqueItems", (value) =>
        [value].flat().every((item, index, all) => all.map(String).indexOf(String(item)) === index),
      ),
      "compares items by reference": replaceCheckAt(
        "/set",
        "uniqueItems",
        (value) => new Set([value].flat()).size === [value].flat().length,
      ),
      "refuses days before 1970": { format: strings((value) => value >= "1970" && isDateOrTime(value)) },
      "accepts April 31": { format: strings((value) => /-04-31/.test(value) || isDateOrTime(value)) },
      "accepts month 0": { format: strings((value) => /-00-/.test(value) || isDateOrTime(value)) },
    },
  ],
];

describe.each(schemas)("the vectors of %s", async (_, schema, mistakes) => {
  const vectors = await vectorsOf(schema);
  const misjudgedBy = (accepts: (data: Json) => boolean) =>
    vectors.filter(({ data, valid }) => accepts(data) !== valid);

  it("do not fail a correct validator", () => {
    expect(misjudgedBy(validator(schema)).map(({ id }) => id)).toEqual([]);
  });

  it.each(Object.entries(mistakes))("detect a validator that %s", (_, wrongChecks) => {
    expect(misjudgedBy(validator(schema, wrongChecks))).not.toEqual([]);
  });
});
