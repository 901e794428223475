import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../schemas/index.ts";
import { compileModel } from "../../compile/compile.ts";
import { isValid } from "../../evaluate/evaluate.ts";
import { compileAjv } from "../../oracle/ajv.ts";
import { document, id } from "../../testing/schemas.fixture.ts";
import { editSchemas, type Mutant, mutateModel } from "../mutant.ts";
import { listMutants } from "../mutants.ts";

const member = (schema: JsonObject, members: JsonObject = {}): JsonObject => ({
  type: "object",
  properties: { m: schema },
  ...members,
});
const integer = { type: "integer", minimum: 0, maximum: 900 };
const centMultiple = { type: "number", multipleOf: 0.01 };
const uniqueWords = { type: "array", items: { type: "string" }, uniqueItems: true };
const countedItems = { type: "array", contains: { const: 1 }, minContains: 2, maxContains: 3 };
const isOn = { properties: { on: { const: true } } };
const conditional = {
  if: { ...isOn, required: ["on"] },
  then: { required: ["of"] },
  else: { not: { required: ["of"] } },
};
const stateMachine = {
  type: "object",
  properties: { state: { enum: ["open", "sent", "paid", "void"] } },
  if: { properties: { state: { enum: ["paid", "sent"] } }, required: ["state"] },
  then: { required: ["on"] },
  else: { properties: { on: false } },
};
const isPaid = { properties: { state: { const: "paid" } }, required: ["state"] };
const draft07 = { $schema: "http://json-schema.org/draft-07/schema#" };
const draft07Member = (schema: JsonObject): JsonObject => member(schema, draft07);

const integerMap = { type: "object", additionalProperties: { type: "integer" } };
const extensionMap = { type: "object", patternProperties: { "^x-": { type: "integer" } } };
const closedNames = member({ type: "object", patternProperties: { "^[a-z]$": {} }, additionalProperties: false });
const textList = { type: "array", items: { type: "string" } };
const twoKinds = {
  type: "object",
  anyOf: [
    { properties: { kind: { const: "one" }, m: { enum: ["a", "b"] } } },
    { properties: { kind: { const: "two" }, m: { const: "c" } } },
  ],
};

/** A schema of draft-07 with a member that is only a reference. */
const referencedMember = (definition: JsonObject): JsonObject => ({
  ...draft07,
  type: "object",
  required: ["m"],
  properties: { m: { $ref: "#/definitions/m" } },
  definitions: { m: definition },
});

/** The mistake, a schema in which it can be made, and an instance that kills it. */
const mistakes: [operator: string, says: string, schema: JsonObject, instance: Json][] = [
  ["condition", 'else is not followed when state is "void"', stateMachine, { state: "void", on: 1 }],
  ["condition", 'then is not followed when state is "sent"', stateMachine, { state: "sent" }],
  ["contains-count", "the first item has to match contains", member({ contains: { const: 1 } }), { m: [2, 1] }],
  ["contains-count", "contains is not checked", member(countedItems), { m: [2] }],
  ["contains-count", "contains is not checked", draft07Member({ contains: { const: 1 } }), { m: [2] }],
  ["contains-count", "minContains is 1 instead of 2", member(countedItems), { m: [1, 2] }],
  ["contains-count", "minContains is 3 instead of 2", member(countedItems), { m: [1, 1] }],
  ["contains-count", "maxContains is 2 instead of 3", member(countedItems), { m: [1, 1, 1] }],
  ["contains-count", "maxContains is 4 instead of 3", member(countedItems), { m: [1, 1, 1, 1] }],
  ["contains-count", "maxContains is not checked", member(countedItems), { m: [1, 1, 1, 1, 1] }],
  ["name-pattern", "member names: the start is not anchored", member(extensionMap), { m: { "ax-": "" } }],
  ["name-pattern", "member names: the end is not anchored", closedNames, { m: { ab: 1 } }],
  [
    "name-pattern",
    "member names: names that match ^x are excluded",
    member({ type: "object", patternProperties: { "^x": { type: "integer" }, y$: { minimum: 10 } } }),
    { m: { xy: 9 } },
  ],
  [
    "name-pattern",
    "member names: names in properties are excluded",
    member({ properties: { "x.y": { type: "integer" } }, patternProperties: { "^x": { minimum: 10 } } }),
    { m: { "x.y": 9 } },
  ],
  [
    "condition",
    'else is not followed when state is "void"',
    {
      properties: { state: stateMachine.properties.state },
      allOf: [{ if: isPaid, else: { properties: { on: false } } }],
    },
    { state: "void", on: 1 },
  ],
  ["missing-default", "state has a default when it is missing", { ...stateMachine, required: ["state"] }, { on: "" }],
  ["unstated-limit", "more than 9 items are refused", member(textList), { m: Array(10).fill("") }],
  ["type", "fractions are refused", { prefixItems: [{}], items: { type: "number" } }, [1, 0.5]],
  ["text-length", "maxLength: letters are counted apart from their accents", member({ maxLength: 4 }), { m: "aaaé" }],
  ["text-length", "maxLength: a line feed is counted with a carriage return", member({ maxLength: 4 }), { m: "aaa\n" }],
  ["text-length", "maxLength: escapes of HTML are counted", member({ maxLength: 4 }), { m: "aaa&" }],
  ["text-length", "maxLength: capital letters are counted", member({ maxLength: 4 }), { m: "aaaß" }],
  ["text-length", "maxLength: text after a NUL is not counted", member({ maxLength: 4 }), { m: "a\0aaa" }],
  ["enum", "letters are the same however they are composed", member({ enum: ["é"] }), { m: "e\u0301" }],
  ["enum", "letters are the same however they are composed", member({ const: "K" }), { m: "\u212a" }],
  ["enum", "full-width letters are the same", member({ enum: ["kg"] }), { m: "ｋg" }],
  ["enum", "the text of a list is compared", member({ type: "string", enum: ["kg"] }), { m: ["kg"] }],
  [
    "unique-items",
    "texts that are nearly alike are the same",
    member(uniqueWords),
    { m: ["é", "e\u0301", "é ", "é,é", "constructor"] },
  ],
  [
    "unique-items",
    "texts that are nearly alike are the same",
    member({ ...uniqueWords, maxItems: 4 }),
    { m: ["é", "e\u0301", "é ", "é,é"] },
  ],
  [
    "unique-items",
    "the names that every object has are items already",
    member({ ...uniqueWords, maxItems: 4 }),
    { m: ["é", "constructor"] },
  ],
  [
    "unique-items",
    "white space around items does not matter",
    member({ ...uniqueWords, items: { pattern: "^. ?$" } }),
    { m: ["é", "é "] },
  ],
  ["unique-items", "null is the same as an empty text", member({ uniqueItems: true }), { m: [null, ""] }],
  ["name-pattern", "member names: [a-z] matches digits as well", closedNames, { m: { "0": 1 } }],
  ["name-pattern", "member names: [a-z] matches an underscore as well", closedNames, { m: { _: 1 } }],
  ["name-pattern", "member names: [a-z] matches small letters of every script as well", closedNames, { m: { ß: 1 } }],
  [
    "binary-multiple",
    "decimals are counted in the printed number, which may have an exponent",
    member({ ...centMultiple, minimum: 0 }),
    { m: 2e-7 },
  ],
  ["enum", "further items of a list are ignored", member({ enum: ["x", [1]] }), { m: [1, null] }],
  [
    "enum",
    "further members of an object are ignored",
    member({ enum: [[1], { a: 1 }] }),
    { m: { a: 1, unexpected_member: 0 } },
  ],
  [
    "null-dependency",
    "the dependent schema of a applies without it",
    { dependentSchemas: { a: { required: ["b"] } } },
    {},
  ],
  [
    "null-dependency",
    "the members in the dependent schema of a are checked without it",
    { dependentSchemas: { a: { required: ["b"], properties: { b: { type: "string" } } } } },
    { b: 1 },
  ],
  ["one-of-many", "of three items, only the first and the last are checked", member(textList), { m: ["", null, ""] }],
  ["one-of-many", "of three items, all but the last are checked", member(textList), { m: ["", "", null] }],
  ["one-of-many", "of three items, all but the last are checked", member(textList), { m: ["any", "others", null] }],
  [
    "one-of-many",
    "of three members, all but the first are checked",
    member(integerMap),
    { m: { "a-first": null, "b-second": 1, "c-third": 1 } },
  ],
  [
    "one-of-many",
    "of three members, only the first and the last are checked",
    member(extensionMap),
    { m: { "x-": 1, "x-a-first": null, "x-b-second": 1 } },
  ],
  [
    "one-of-many",
    "of three names, only the first and the last are checked",
    { minProperties: 3, maxProperties: 3, propertyNames: { enum: ["a", "b", "c"] } },
    { a: "", "": "", c: "" },
  ],
  [
    "one-of-many",
    "of three members, all but the first are checked",
    { ...integerMap, additionalProperties: { $ref: "#/$defs/number" }, $defs: { number: { type: "integer" } } },
    { "a-first": null, "b-second": 1, "c-third": 1 },
  ],
  [
    "declared-elsewhere",
    "names that branches declare are not additional",
    { allOf: [{ anyOf: [{ properties: { a: { type: "integer" } } }] }], additionalProperties: false },
    { a: 1 },
  ],
  [
    "declared-elsewhere",
    "names that are declared outside are not additional",
    member({}, { allOf: [{ properties: { "a~/b": {} }, additionalProperties: { type: "string" } }] }),
    { m: 1 },
  ],
  ["number-range", "numbers below 0 are refused", { properties: { n: { type: "integer" } } }, { n: -1 }],
  ["lax-type", "true is accepted as 1, and false as 0", member(integer), { m: true }],
  ["lax-type", "a number is parsed from a string", member(integer), { m: "42" }],
  ["lax-type", "1 is accepted as true, and 0 as false", member({ type: "boolean" }), { m: 0 }],
  ["lax-type", "a boolean is parsed from a string", member({ type: "boolean" }), { m: "true" }],
  ["lax-type", "an empty list is accepted as an empty object", member({ type: "object" }), { m: [] }],
  ["lax-type", "an empty object is accepted as an empty list", member({ type: "array" }), { m: {} }],
  [
    "lax-type",
    "the pattern is applied to the text of a list",
    member({ type: "string", pattern: "^[A-Z]{2}$" }),
    { m: ["AB"] },
  ],
  ["empty-value", "m may be null, as if it were absent", member({ enum: ["a"] }), { m: null }],
  ["empty-value", 'm may be "", as if it were absent', member({ type: "string", format: "uuid" }), { m: "" }],
  ["empty-value", "m may be [], as if it were absent", member({ type: "array", minItems: 2 }), { m: [] }],
  ["empty-value", "m is missing when it is 0", member(integer, { required: ["m"] }), { m: 0 }],
  ["empty-value", "m is missing when it is false", member({ type: "boolean" }, { required: ["m"] }), { m: false }],
  ["empty-value", "m may be {}, as if it were absent", member({ type: "object", required: ["a"] }), { m: {} }],
  ["empty-value", "m may be 0, as if it were absent", member({ type: "integer", minimum: 2 }), { m: 0 }],
  [
    "empty-value",
    "m may be {}, as if it were absent",
    referencedMember({ type: "object", required: ["a"] }),
    { m: {} },
  ],
  ["empty-value", "m is missing when it is 0", referencedMember({ ...integer, allOf: [{ minimum: -5 }] }), { m: 0 }],
  ["empty-value", "m may be null, as if it were absent", member({ type: "string", enum: ["a"] }), { m: null }],
  [
    "empty-value",
    "m may be [], as if it were absent",
    { ...member({ $ref: "#/$defs/list" }), $defs: { list: { type: "array", minItems: 1 } } },
    { m: [] },
  ],
  [
    "empty-value",
    "m may be {}, as if it were absent",
    member({ type: "object", minProperties: 1, anyOf: [{ required: ["a"] }, { required: ["b"] }] }),
    { m: {} },
  ],
  ["empty-value", "m is missing when it is {}", member({ type: "object" }, { required: ["m"] }), { m: {} }],
  [
    "lax-type",
    "a single value is accepted as a list",
    member({ type: "array", items: { type: "string", minLength: 2 } }),
    { m: "ab" },
  ],
  [
    "format-habit",
    "white space around it does not matter",
    member({ format: "date-time" }),
    { m: " 2026-01-15T09:30:00Z" },
  ],
  ["pattern", "white space around it does not matter", member({ pattern: "^[a-z]$" }), { m: " a" }],
  ["text-length", "maxLength: UTF-16 units are counted", member({ maxLength: 2 }), { m: "a😀" }],
  ["text-length", "maxLength: bytes are counted", member({ maxLength: 2 }), { m: "aé" }],
  ["text-length", "minLength: UTF-16 units are counted", member({ minLength: 2 }), { m: "😀" }],
  [
    "text-length",
    "maxLength: visible characters are counted, not code points",
    member({ maxLength: 2 }),
    { m: "e\u0301a" },
  ],
  ["text-length", "minLength: white space is not counted", member({ minLength: 1 }), { m: " " }],
  ["format-habit", "the offset may be missing", member({ format: "date-time" }), { m: "2100-01-02T03:04:05" }],
  ["format-habit", "only Z is an offset", member({ format: "date-time" }), { m: "2100-01-02T03:04:05+01:00" }],
  ["format-habit", "only http and https are schemes", member({ format: "uri" }), { m: "urn:isbn:0451450523" }],
  ["number-range", "numbers beyond 32 bits are refused", member({ type: "integer" }), { m: 2 ** 31 }],
  ["number-range", "only the lowest 32 bits of a number are checked", member(integer), { m: 2 ** 32 + 5 }],
  ["number-range", "the minimum itself is refused", member({ type: "number", minimum: 1 }), { m: 1 }],
  ["foreign-word", "every value that m has elsewhere is allowed too", twoKinds, { kind: "two", m: "b" }],
  [
    "declared-elsewhere",
    "names that its values declare are not additional",
    {
      type: "object",
      additionalProperties: { $ref: "#/$defs/a" },
      $defs: { a: { properties: { type: { type: "string" } } } },
    },
    { type: { type: 7 } },
  ],
  ["enum", "true is allowed too", member({ enum: [false, null, "on"] }), { m: true }],
  ["object-prototype", "the value of a member constructor is not checked", integerMap, { constructor: "x" }],
  [
    "object-prototype",
    "the value of a member `__proto__` is not checked",
    integerMap,
    JSON.parse('{"__proto__": "x"}') as Json,
  ],
  ["format-habit", "a port is refused", member({ format: "uri" }), { m: "https://ada@example.org:8443/" }],
  ["format-habit", "a query is refused", member({ format: "uri" }), { m: "https://example.org/?#" }],
  ["format-habit", "an IPv4 address is refused", member({ format: "uri" }), { m: "https://192.0.2.1/" }],
  ["format-habit", "midnight is refused", member({ format: "date-time" }), { m: "2026-01-15T00:00:00Z" }],
  ["format-habit", "small letters are refused", member({ format: "date-time" }), { m: "2026-01-15t09:30:00z" }],
  [
    "format-habit",
    "more than three digits of a fraction are refused",
    member({ format: "date-time" }),
    { m: "2026-01-15T09:30:00.123456789Z" },
  ],
  [
    "format-habit",
    "an offset that is unknown is refused",
    member({ format: "date-time" }),
    { m: "2026-01-15T09:30:00-00:00" },
  ],
  [
    "format-habit",
    "an offset of half an hour is refused",
    member({ format: "date-time" }),
    { m: "2126-01-15T09:30:00+05:30" },
  ],
  ["object-prototype", '"constructor" is allowed too', member({ enum: ["a"] }), { m: "constructor" }],
  ["object-prototype", "a member constructor is refused", member(integer), { constructor: 1 }],
  [
    "object-prototype",
    "a member constructor is allowed too",
    member(integer, { additionalProperties: false }),
    { constructor: 1 },
  ],
  [
    "reference-siblings",
    "keywords beside the reference are ignored",
    { ...member({ $ref: "#/$defs/text", minLength: 2, maxLength: 5 }), $defs: { text: { type: "string" } } },
    { m: "a" },
  ],
  ["keyword-dropped", "prefixItems is not checked", { prefixItems: [{ const: 1 }], items: { type: "string" } }, [2]],
  ["branch", "at most one branch may match", { anyOf: [{ minimum: 1 }, { maximum: 5 }] }, 3],
  [
    "branch",
    "required lists the members of another branch: b",
    { oneOf: [{ required: ["a"], not: { required: ["c"] } }, { required: ["b"] }] },
    { a: 1 },
  ],
  ["first-item", "only the first item is checked", member({ items: { type: "string" } }), { m: ["a", 1] }],
  [
    "first-item",
    "only the first 2 items are checked",
    member({ prefixItems: [true], items: { type: "string" } }),
    { m: ["a", "b", 1] },
  ],
  ["pattern", "a line feed may follow at the end", member({ pattern: "^a$" }), { m: "a\n" }],
  ["pattern", "[0-9] matches digits of every script", member({ pattern: "^[0-9]$" }), { m: "\u0663" }],
  ["pattern", "[a-z] matches letters of every script", member({ pattern: "^[a-z]$" }), { m: "é" }],
  ["pattern", "[a-f] matches A to F as well", member({ pattern: "^[a-f]$" }), { m: "B" }],
  ["pattern", "[a-f] matches a colon as well", member({ pattern: "^[a-f]$" }), { m: ":" }],
  ["pattern", "f is missing from [a-f]", member({ pattern: "^[a-f]$" }), { m: "f" }],
  ["lax-type", "false is accepted as 0", member(integer), { m: false }],
  ["lax-type", "true is accepted as 1", member(integer), { m: true }],
  ["lax-type", "an empty string is accepted as an absent value", member({ type: ["array", "null"] }), { m: "" }],
  ["enum", "a line feed may follow at the end", member({ enum: ["a", "b"] }), { m: "b\n" }],
  ["enum", "a number is accepted in place of the text", member({ type: "string", const: "1" }), { m: 1 }],
  ["enum", "null is allowed too", { prefixItems: [{ const: "a" }] }, [null]],
  ["enum", "a number is accepted as its text", member({ const: "2.0" }), { m: 2 }],
  ["enum", "a number is accepted as its text", member({ type: "string", enum: ["all", "0.50"] }), { m: 0.5 }],
  ["lax-type", "true is accepted as an object", member({ type: "object", required: ["a"] }), { m: true }],
  ["lax-type", "true is accepted as a list", member({ type: ["array", "null"] }), { m: true }],
  ["pattern", "\\p{Lu} matches only ASCII characters", member({ pattern: "^\\p{Lu}" }), { m: "É" }],
  ["pattern", "\\p{L} matches only ASCII characters", member({ pattern: "^[\\p{L} ]*$" }), { m: "aé" }],
  ["enum", "a number is parsed from a string", member({ type: "integer", enum: [14, 30] }), { m: "30" }],
  ["enum", "a number is parsed from a string", member({ const: 2.5 }), { m: "2.5" }],
  ["enum", "a boolean is parsed from a string", member({ type: "boolean", const: true }), { m: "true" }],
  ["empty-value", "m may be null, as if it were absent", { properties: { m: false } }, { m: null }],
  [
    "empty-value",
    "m may be null, as if it were absent",
    { if: { required: ["on"] }, then: { properties: { m: false } } },
    { on: 1, m: null },
  ],
  ["text-length", "maxLength: white space at the end is not counted", member({ maxLength: 2 }), { m: "ab " }],
  [
    "format-habit",
    'the format check misses "bare point"',
    member({ format: "date-time" }),
    { m: "2026-01-15T09:30:00.Z" },
  ],
  ["format-habit", 'the format check misses "hour 24"', member({ format: "date-time" }), { m: "2126-01-15T24:00:00Z" }],
  ["number-range", "numbers beyond 32 bits without a sign are refused", member({ type: "integer" }), { m: 2 ** 32 }],
  [
    "object-prototype",
    "a member `__proto__` is allowed too",
    member(integer, { additionalProperties: false, patternProperties: { "^x-": true } }),
    JSON.parse('{"__proto__": 1}'),
  ],
  ["first-item", "null is accepted in place of an item", member({ items: { type: "string" } }), { m: ["a", null] }],
  ["other-step", "multipleOf is 10 instead of 5", member({ type: "integer", multipleOf: 5 }), { m: 5 }],
  ["other-step", "multipleOf is 2.5 instead of 5", member({ type: "number", multipleOf: 5 }), { m: 2.5 }],
  ["other-step", "multipleOf is 0.01 instead of 0.05", member({ multipleOf: 0.05, maximum: 1 }), { m: 0.01 }],
  ["other-step", "multipleOf is 1 instead of 50", member({ type: "number", multipleOf: 50 }), { m: 1 }],
  ["bound-off-by-one", "maximum is 100 instead of 99.99", member({ ...centMultiple, maximum: 99.99 }), { m: 100 }],
  ["bound-off-by-one", "minimum is 0.02 instead of 0.01", member({ ...centMultiple, minimum: 0.01 }), { m: 0.01 }],
  ["required", "c is optional beside b", { dependentRequired: { a: ["c"], b: ["c", "d"] } }, { b: 1, d: 1 }],
  ["required", "c is optional beside a", { dependentRequired: { a: ["c"], b: ["c", "d"] } }, { a: 1 }],
  ["required", "c/d is optional beside a~b", { ...draft07, dependencies: { "a~b": ["c/d"], b: ["d"] } }, { "a~b": 1 }],
  ["binary-multiple", "it is multiplied by 100 and must be an integer then", member(centMultiple), { m: 0.55 }],
  ["binary-multiple", "the remainder of 0.01 must be exactly 0", member(centMultiple), { m: 0.55 }],
  [
    "binary-multiple",
    "the remainder of 0.01 must be exactly 0",
    member({ ...centMultiple, maximum: -1 }),
    { m: -1.09 },
  ],
  ["binary-multiple", "a number just above a multiple is accepted", member(centMultiple), { m: 0.02005 }],
  ["binary-multiple", "a number just below a multiple is accepted", member(centMultiple), { m: 0.01995 }],
  ["binary-multiple", "a number within a tolerance of a multiple is accepted", member(centMultiple), { m: 0.0100002 }],
  [
    "binary-multiple",
    "a number within a tolerance of a multiple is accepted",
    member({ type: "number", multipleOf: 0.25 }),
    { m: 0.250002 },
  ],
  ["unique-items", "items in another case are the same", member(uniqueWords), { m: ["e", "a", "A"] }],
  ["unique-items", "only neighbours are compared", member(uniqueWords), { m: ["", "a", ""] }],
  ["unique-items", "only the first item is compared with the others", member(uniqueWords), { m: ["", "a", "a"] }],
  ["unique-items", "only the last item is compared with the others", member(uniqueWords), { m: ["", "", "a"] }],
  [
    "unique-items",
    "only neighbours are compared",
    {
      ...member({ $ref: "#/$defs/list", uniqueItems: true }),
      $defs: { list: { minItems: 4, items: { enum: [1, 2, 3, 4] } } },
    },
    { m: [1, 2, 3, 1] },
  ],
  [
    "longer-tuple",
    "more items like the last one may follow",
    member({ prefixItems: [true, { type: "integer" }], items: false }),
    { m: [1, 2, 3] },
  ],
  [
    "longer-tuple",
    "more items like the last one may follow",
    draft07Member({ items: [{ type: "integer" }, { type: "integer" }], additionalItems: false }),
    { m: [1, 2, 3] },
  ],
  [
    "longer-tuple",
    "more items like the last one may follow",
    member({ allOf: [true], prefixItems: [{ type: "integer" }], unevaluatedItems: false }),
    { m: [1, 3] },
  ],
  ["enum", "true is the same as 1, and false as 0", member({ const: { a: [1, 2] } }), { m: { a: [true, 2] } }],
  ["enum", "a number is the same as its text", member({ enum: ["x", ["1", null]] }), { m: [1, null] }],
  ["unique-items", "true is the same as 1, and false as 0", member({ uniqueItems: true }), { m: [[1], [true]] }],
  [
    "unique-items",
    "a number is the same as its text",
    member({ uniqueItems: true, minItems: 2, items: { type: ["integer", "string"] } }),
    { m: [1, "1"] },
  ],
  ["absent-condition", "the condition is met without on", conditional, { of: 1 }],
  ["absent-condition", "the condition is not met without on", { ...conditional, if: isOn }, {}],
  ["absent-condition", "neither then nor else is followed without on", conditional, { of: 1 }],
  ["null-dependency", "a is absent when it is null", { dependentRequired: { a: ["b"] } }, { a: null }],
  [
    "null-dependency",
    "b, on which a depends, is absent when it is null",
    { dependentRequired: { a: ["b"] } },
    { a: 1, b: null },
  ],
  ["null-dependency", "a is absent when it is 0", { dependentRequired: { a: ["b"] } }, { a: 0 }],
  [
    "null-dependency",
    "m, on which a depends, is absent when it is false",
    member({ type: "boolean" }, { dependentRequired: { a: ["m"] } }),
    { a: 1, m: false },
  ],
  [
    "null-dependency",
    'a is absent when it is ""',
    { dependentSchemas: { a: { properties: { b: { type: "string" } } } } },
    { a: "", b: 1 },
  ],
  [
    "null-dependency",
    "a is absent when it is false",
    { ...draft07, dependencies: { a: { required: ["b"] } } },
    { a: false },
  ],
  [
    "null-dependency",
    "a is absent when it is null",
    { dependentSchemas: { a: { properties: { b: { type: "string" } } } } },
    { a: null, b: 1 },
  ],
  ["null-dependency", "a is absent when it is false", { not: { required: ["a", "b"] } }, { a: false, b: 1 }],
  ["null-dependency", "a is absent when it is []", { if: { required: ["a"] }, then: { required: ["b"] } }, { a: [] }],
  [
    "null-dependency",
    "m is absent when it is 0",
    member({ type: "integer" }, { oneOf: [{ required: ["m"] }, { required: ["b"] }] }),
    { m: 0 },
  ],
  ["null-dependency", 'a is absent when it is ""', { anyOf: [{ required: ["a"] }, false] }, { a: "" }],
  ["null-dependency", "a is absent when it is null", { ...draft07, dependencies: { a: ["b"], c: ["d"] } }, { a: null }],
  [
    "null-dependency",
    "b, on which a depends, is absent when it is null",
    { ...draft07, dependencies: { a: ["b"] } },
    { a: 1, b: null },
  ],
  [
    "null-dependency",
    "a is absent when it is null",
    { ...draft07, dependencies: { a: { required: ["b"] } } },
    { a: null },
  ],
];

const mutantsIn = async (schema: JsonObject) => {
  const schemas = [document(schema)];
  const model = await compileModel(schemas, id);
  return { schemas, model, all: listMutants(model, schemas) };
};

describe("mutants", () => {
  it.each(mistakes)(
    "of %s (%s) are killed by an instance that shows the mistake",
    async (operator, says, schema, instance) => {
      const { schemas, model, all } = await mutantsIn(schema);
      const mutant = all
        .filter((candidate) => candidate.operator === operator && candidate.says === says)
        .at(-1) as Mutant;
      expect(all.map((candidate) => `${candidate.operator}: ${candidate.says}`)).toContain(`${operator}: ${says}`);
      const isAccepted = isValid(model, instance);
      expect(isValid(mutateModel(model, mutant), instance)).toBe(!isAccepted);
      expect(compileAjv(editSchemas(schemas, mutant.edits), id, "quick")(instance)).toBe(!isAccepted);
      expect(mutant.effect).not.toBe(isAccepted ? "weaker" : "stronger");
    },
  );

  it.each([...new Set(mistakes.map(([operator]) => operator))])(
    "of %s have equivalent edits and nodes, and the correct effect",
    async (operator) => {
      const instances = mistakes.map(([, , , instance]) => instance);
      for (const [, , schema] of mistakes.filter(([name]) => name === operator)) {
        const { schemas, model, all } = await mutantsIn(schema);
        for (const mutant of all.filter((candidate) => candidate.operator === operator)) {
          const judge = compileAjv(editSchemas(schemas, mutant.edits), id, "quick");
          for (const instance of instances) {
            const [before, after] = [isValid(model, instance), isValid(mutateModel(model, mutant), instance)];
            expect([mutant.says, instance, judge(instance)]).toEqual([mutant.says, instance, after]);
            if (before !== after)
              expect([mutant.says, mutant.effect]).not.toEqual([mutant.says, before ? "weaker" : "stronger"]);
          }
        }
      }
    },
  );

  it.each([
    ["email", "a plus sign is refused", "a+b@example.org", "+@a.a"],
    ["date-time", "a space is accepted in place of T", "2026-01-15 09:30:00Z", "0000-00-00 00:00:00z"],
    ["date-time", "the offset may be missing", "2026-01-15T09:30:00", "0000-00-00t00:00:00"],
    ["date-time", "any two digits are a month or a day", "2026-13-15T09:30:00Z", "0000-13-15T29:30:00Z"],
    ["date-time", "fractions of a second are refused", "2026-01-15T09:30:00.5Z", "0001-01-15t00:00:00.5z"],
    ["date", "any two digits are a month or a day", "2026-13-15", "0000-00-00"],
    ["uri", "only http and https are schemes", "urn:isbn:0451450523", "a:"],
    ["uuid", "hyphens may be anywhere", `550e-8400e29b-41d4-a716-446655440000`, "-".repeat(36)],
    [
      "uuid",
      "only version 4 is accepted",
      "550e8400-e29b-11d4-a716-446655440000",
      "00000000-0000-0000-0000-000000000000",
    ],
    ["ipv4", "any digits are an octet", "256.0.0.1", "000.0.0.0"],
  ])("of the format %s (%s) misjudge only otherwise ordinary strings", async (name, says, plainText, oddText) => {
    const { model, all } = await mutantsIn({ format: name });
    const mutant = all.find((candidate) => candidate.operator === "format-habit" && candidate.says === says) as Mutant;
    expect(isValid(mutateModel(model, mutant), plainText)).not.toBe(isValid(model, plainText));
    expect(isValid(mutateModel(model, mutant), oddText)).toBe(isValid(model, oddText));
  });

  it("never make a schema apply itself endlessly", async () => {
    const { model, all } = await mutantsIn({ type: "array", items: { $ref: "#" } });
    expect(all.filter(({ says }) => says === "a single value is accepted as a list")).toEqual([]);
    for (const mutant of all) expect(() => isValid(mutateModel(model, mutant), [[[]], 1])).not.toThrow();
  });

  it("do not move a schema with parts that are referred to", async () => {
    const { all } = await mutantsIn({
      ...member({ oneOf: [{ const: 1 }, { const: 2 }] }),
      additionalProperties: { $ref: "#/properties/m/oneOf/0" },
    });
    expect(all.filter(({ operator }) => operator === "empty-value")).toEqual([]);
  });
});
