import fc from "fast-check";
import { isObject, type Json, type JsonObject } from "../../schemas/index.ts";

// For tests: random schemas of draft 2020-12 in which every keyword occurs, and instances that are often valid. Both use the same few names
// and scalars, because unrelated values would rarely match.

/** The `$id` of every schema that is made here. */
export const id = "https://example.org/random.schema.json";

const names = ["a", "b", "c", "ab", "toString", "x-1"];
const patterns = ["^a", "b$", "^[a-z]{1,2}$", "^x-", "\\d", "^$", "^(a|bc)+$", "^.$"];
const formats = ["date", "date-time", "ipv4", "uuid", "email", "json-pointer"];
const numbers = [0, 1, 2, 3, 4, -1, 10, 0.5, 1.5, -0.5, 0.01];
const strings = [
  "",
  "a",
  "b",
  "ab",
  "bc",
  "abc",
  "aaaa",
  "x-1",
  "1",
  "😀",
  "a😀",
  "2026-01-15",
  "2026-01-15T09:30:00Z",
  "192.0.2.1",
  "550e8400-e29b-41d4-a716-446655440000",
  "a@example.org",
  "/a",
];
const types = ["null", "boolean", "integer", "number", "string", "array", "object"];

const scalar: fc.Arbitrary<Json> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...strings) },
  { weight: 3, arbitrary: fc.constantFrom(...numbers) },
  fc.constantFrom<Json>(null, true, false),
);

function members(value: fc.Arbitrary<Json>, size: number, from: readonly string[] = names): fc.Arbitrary<JsonObject> {
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...from), value), { selector: ([name]) => name, maxLength: size })
    .map((entries) => Object.fromEntries(entries));
}

function nestedJson(depth: number): fc.Arbitrary<Json> {
  if (depth === 0) return scalar;
  const inner = nestedJson(depth - 1);
  return fc.oneof(
    { weight: 2, arbitrary: scalar },
    { weight: 2, arbitrary: fc.array(inner, { maxLength: 4 }) },
    { weight: 3, arbitrary: members(inner, 4, [...names, "constructor", "x-2"]) },
  );
}

/** A JSON value of small nesting. */
export const instance: fc.Arbitrary<Json> = nestedJson(2);

/** Generates instances for one schema: any, and those made from the schema's own constants. */
export function instancesFor(schema: JsonObject): fc.Arbitrary<Json> {
  const constants = constantsIn(schema);
  if (constants.length === 0) return instance;
  const constant = fc.constantFrom(...constants);
  const part = fc.oneof({ weight: 2, arbitrary: constant }, scalar);
  return fc.oneof({ weight: 2, arbitrary: instance }, constant, fc.array(part, { maxLength: 4 }), {
    weight: 2,
    arbitrary: members(part, 4),
  });
}

/** Lists the values of `const` and `enum`, and numbers and strings at and near every bound. */
export function constantsIn(schema: Json): Json[] {
  if (Array.isArray(schema)) return schema.flatMap(constantsIn);
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]): Json[] => {
    if (keyword === "const") return [value];
    if (keyword === "enum") return value as Json[];
    if (typeof value === "number") return [value, value + 1, value - 1, "a".repeat(Math.min(10, Math.abs(value)))];
    return constantsIn(value);
  });
}

/** The number of schemas in `$defs`. */
const definitions = 2;

/**
 * Generates schemas of a limited depth. A reference that applies to the same value may only lead to later definitions, so that evaluation always
 * ends. A reference that applies to a part of it may lead anywhere.
 */
function schemas(depth: number, later: number): fc.Arbitrary<Json> {
  const targets = Array.from({ length: definitions - later }, (_, index) => `#/$defs/d${later + index}`);
  const everywhere = ["#", ...Array.from({ length: definitions }, (_, index) => `#/$defs/d${index}`)];
  const assertions: Record<string, fc.Arbitrary<Json>> = {
    type: fc.oneof(
      fc.constantFrom(...types),
      fc.uniqueArray(fc.constantFrom(...types), { minLength: 1, maxLength: 3 }),
    ),
    enum: fc.uniqueArray(nestedJson(1), { minLength: 1, maxLength: 4, selector: (value) => JSON.stringify(value) }),
    const: nestedJson(1),
    minimum: fc.constantFrom(...numbers),
    maximum: fc.constantFrom(...numbers),
    exclusiveMinimum: fc.constantFrom(...numbers),
    exclusiveMaximum: fc.constantFrom(...numbers),
    multipleOf: fc.constantFrom(1, 2, 3, 0.5, 0.01),
    minLength: fc.nat(3),
    maxLength: fc.nat(3),
    pattern: fc.constantFrom(...patterns),
    format: fc.constantFrom(...formats),
    minItems: fc.nat(3),
    maxItems: fc.nat(3),
    uniqueItems: fc.boolean(),
    required: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
    minProperties: fc.nat(3),
    maxProperties: fc.nat(3),
    dependentRequired: members(fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }), 2),
    ...(targets.length === 0 ? {} : { $ref: fc.constantFrom(...targets) }),
  };
  const pickKeywords = (keywords: Record<string, fc.Arbitrary<Json>>, size: number): fc.Arbitrary<JsonObject> =>
    fc
      .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { maxLength: size })
      .chain((chosen) =>
        fc.record(Object.fromEntries(chosen.map((name) => [name, keywords[name] as fc.Arbitrary<Json>]))),
      );
  if (depth === 0) {
    const leaf = pickKeywords(assertions, 2);
    return fc.oneof({ weight: 1, arbitrary: fc.boolean() }, { weight: 6, arbitrary: leaf });
  }
  const schemaOfSameValue = fc.memo(() => schemas(depth - 1, later))();
  const schemaOfPart = fc.oneof(
    { weight: 6, arbitrary: schemas(depth - 1, 0) },
    { weight: 1, arbitrary: fc.constantFrom(...everywhere).map(($ref): Json => ({ $ref })) },
  );
  const branches = fc.array(schemaOfSameValue, { minLength: 1, maxLength: 3 });
  const applicators: Record<string, fc.Arbitrary<Json>> = {
    allOf: branches,
    anyOf: branches,
    oneOf: branches,
    not: schemaOfSameValue,
    if: schemaOfSameValue,
    dependentSchemas: members(schemaOfSameValue, 2),
    properties: members(schemaOfPart, 3),
    patternProperties: members(schemaOfPart, 2, patterns),
    additionalProperties: schemaOfPart,
    propertyNames: schemas(0, 0),
    unevaluatedProperties: schemaOfPart,
    prefixItems: fc.array(schemaOfPart, { minLength: 1, maxLength: 3 }),
    items: schemaOfPart,
    contains: schemaOfPart,
    unevaluatedItems: schemaOfPart,
  };
  const partners = fc.record(
    { minContains: fc.nat(2), maxContains: fc.nat(2), then: schemaOfSameValue, else: schemaOfSameValue },
    { requiredKeys: [] },
  );
  const node = fc
    .tuple(pickKeywords(assertions, 3), pickKeywords(applicators, 3), partners)
    .map(([asserted, applied, partner]) => ({
      ...asserted,
      ...applied,
      ...(Object.hasOwn(applied, "if") ? pick(partner, "then", "else") : {}),
      ...(Object.hasOwn(applied, "contains") ? pick(partner, "minContains", "maxContains") : {}),
    }));
  return fc.oneof({ weight: 1, arbitrary: fc.boolean() }, { weight: 12, arbitrary: node });
}

function pick(from: Record<string, Json>, ...names: string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}

/** Makes a separate document of a schema. */
export function document(schema: JsonObject): JsonObject {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", $id: id, ...schema };
}

/** Writes a boolean schema as an object. */
function asObject(schema: Json): JsonObject {
  if (isObject(schema)) return schema;
  return schema === true ? {} : { not: {} };
}

/** A schema document with nested keywords of every kind and `$defs` that may refer to each other and to the whole. */
export const schema: fc.Arbitrary<JsonObject> = fc
  .tuple(schemas(2, 0), ...Array.from({ length: definitions }, (_, index) => schemas(1, index + 1)))
  .map(([root, ...defs]) =>
    document({
      ...asObject(root),
      $defs: Object.fromEntries(defs.map((def, index) => [`d${index}`, def as Json])),
    }),
  );
