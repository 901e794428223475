import fc from "fast-check";
import type { Json, JsonObject } from "../../schemas/index.ts";

// For tests: schemas with conditionals on a few shared members, like those that state the order of events.

const dialect = "https://json-schema.org/draft/2020-12/schema";

/** Makes a schema with an `if` about some members, and a `then` and `else` about others. */
function conditionalSchema(members: JsonObject, then: Json, otherwise?: Json): JsonObject {
  const condition = { properties: members, required: Object.keys(members) };
  return { if: condition, then, ...(otherwise === undefined ? {} : { else: otherwise }) };
}

const constant = (value: Json): JsonObject => ({ const: value });
const enumeration = (...values: Json[]): JsonObject => ({ enum: values });
const patternSchema = (pattern: string): JsonObject => ({ pattern });
const propertiesSchema = (properties: JsonObject, ...required: string[]): JsonObject => ({ properties, required });
const requireMembers = (...required: string[]): JsonObject => ({ required });

const [agent, human, group] = [patternSchema("^agent:"), patternSchema("^human:"), patternSchema("^group:")];
const [first, second] = [patternSchema("^1[.]"), patternSchema("^2[.]")];

const party = { type: "string", pattern: "^(agent|human|group):[a-z][a-z0-9-]*$" };
const name = { type: "string", pattern: "^[a-z]+-[0-9]{2,}$" };

const base: JsonObject = {
  type: "object",
  required: ["id", "type", "from", "version"],
  properties: {
    id: name,
    type: enumeration("offer", "counter", "accept", "decline", "progress", "result", "cancel", "error"),
    status: enumeration("draft", "open", "bound", "running", "done", "failed", "void"),
    from: party,
    to: party,
    version: { type: "string", pattern: "^[12][.][0-9]+$" },
    answers: name,
    price: { type: "integer", minimum: 0 },
    share: { type: "number", minimum: 0, maximum: 1 },
    reason: { type: "string", minLength: 1 },
    urgent: { type: "boolean" },
  },
  allOf: [
    conditionalSchema({ type: enumeration("counter", "accept", "decline", "result") }, requireMembers("answers")),
    conditionalSchema({ type: constant("offer") }, { not: requireMembers("answers") }),
    conditionalSchema({ version: second }, requireMembers("status")),
    conditionalSchema(
      { version: first },
      propertiesSchema({ type: enumeration("offer", "accept", "decline", "result", "error") }),
    ),
    conditionalSchema({ from: group }, propertiesSchema({ type: enumeration("offer", "cancel") })),
    conditionalSchema(
      { to: group },
      propertiesSchema({ type: enumeration("offer", "progress", "error") }),
      propertiesSchema({ from: { pattern: "^(agent|human):" } }),
    ),
    conditionalSchema({ type: constant("error") }, requireMembers("reason")),
    conditionalSchema({ urgent: constant(true) }, requireMembers("to")),
  ],
};

const moreConditionals: JsonObject[] = [
  conditionalSchema(
    { type: constant("offer") },
    propertiesSchema({ status: enumeration("draft", "open"), price: { minimum: 1 } }, "price"),
  ),
  conditionalSchema(
    { type: constant("counter") },
    propertiesSchema({ status: constant("open"), price: { minimum: 1 }, version: second }, "price"),
  ),
  conditionalSchema({ type: constant("accept") }, propertiesSchema({ status: constant("bound"), from: human })),
  conditionalSchema({ type: constant("decline") }, propertiesSchema({ status: constant("void") }, "reason")),
  conditionalSchema(
    { type: constant("progress") },
    propertiesSchema({ status: enumeration("running", "bound"), from: agent, share: { exclusiveMaximum: 1 } }),
  ),
  conditionalSchema({ type: constant("result") }, propertiesSchema({ status: enumeration("done", "failed") })),
  conditionalSchema({ type: constant("cancel") }, propertiesSchema({ status: constant("void"), from: human })),
  conditionalSchema({ type: constant("error") }, propertiesSchema({ status: constant("failed"), from: agent })),
  conditionalSchema({ status: constant("draft") }, propertiesSchema({ to: group })),
  conditionalSchema({ status: constant("open") }, propertiesSchema({ from: agent, to: agent })),
  conditionalSchema({ status: constant("bound") }, propertiesSchema({ version: first })),
  conditionalSchema(
    { status: constant("running") },
    propertiesSchema({ version: second, price: { multipleOf: 5 } }, "price"),
  ),
  conditionalSchema({ status: constant("done") }, propertiesSchema({ share: constant(1) })),
  conditionalSchema({ status: constant("failed") }, propertiesSchema({ share: { exclusiveMaximum: 0.5 } }, "reason")),
  conditionalSchema({ status: constant("void") }, propertiesSchema({ urgent: constant(false) })),
  conditionalSchema({ status: constant("failed"), version: first }, propertiesSchema({ type: constant("error") })),
  conditionalSchema({ from: human }, propertiesSchema({ urgent: constant(true) })),
  conditionalSchema({ from: human, to: agent }, propertiesSchema({ version: second })),
  conditionalSchema({ from: agent, to: human }, propertiesSchema({ status: enumeration("running", "failed") })),
  conditionalSchema(
    { from: agent, to: agent },
    propertiesSchema({ type: enumeration("counter", "result", "progress") }),
  ),
  conditionalSchema({ from: agent, to: group }, propertiesSchema({ urgent: constant(true), share: { minimum: 0.25 } })),
  conditionalSchema({ version: first }, propertiesSchema({ price: { maximum: 100 } })),
  conditionalSchema({ version: second }, propertiesSchema({ version: patternSchema("[02468]$") })),
  conditionalSchema(
    { version: second, type: constant("result") },
    propertiesSchema({ status: constant("failed"), to: human }),
  ),
  conditionalSchema(
    { version: second, type: constant("counter") },
    propertiesSchema({ urgent: constant(true), to: human }),
  ),
  conditionalSchema({ urgent: constant(true) }, propertiesSchema({ share: { exclusiveMinimum: 0 } })),
  conditionalSchema({ urgent: constant(true), status: constant("running") }, propertiesSchema({ to: group })),
  conditionalSchema(
    { urgent: constant(false), status: constant("running") },
    propertiesSchema({ to: agent, share: { maximum: 0.1 } }, "reason"),
  ),
  conditionalSchema(
    { urgent: constant(false), type: constant("progress") },
    propertiesSchema({ price: { multipleOf: 7, minimum: 1 } }),
  ),
  conditionalSchema(
    { reason: {} },
    propertiesSchema({ reason: patternSchema("[.]$"), type: enumeration("decline", "error", "result", "progress") }),
  ),
  conditionalSchema({ share: constant(0) }, propertiesSchema({ type: enumeration("offer", "decline") })),
  conditionalSchema({ price: { minimum: 50 } }, propertiesSchema({ to: patternSchema("-pool$") })),
];

/** Messages with a life cycle: thirty-two conditionals, and a reference to a schema with eight more. */
export const lifeCycle: JsonObject = {
  $schema: dialect,
  $ref: "#/$defs/base",
  required: ["status", "to", "answers", "share", "urgent"],
  allOf: moreConditionals,
  $defs: { base },
};

/** Makes a schema of this many conditionals that are independent of each other. */
export function independentConditionals(count: number): JsonObject {
  const names = Array.from({ length: count }, (_, index) => String(index));
  return {
    $schema: dialect,
    type: "object",
    properties: Object.fromEntries(names.map((each) => [`m${each}`, { type: "string" }])),
    allOf: names.map((each) =>
      conditionalSchema({ [`m${each}`]: constant("a") }, requireMembers(`t${each}`), requireMembers(`e${each}`)),
    ),
  };
}

const names = ["a", "b", "c", "d"];
const values: readonly Json[] = ["x", "xy", "y", 1];

/** All objects of the four members in random conditionals, each with one of four values or absent. */
export const allObjects: readonly JsonObject[] = names.reduce<JsonObject[]>(
  (all, each) => all.flatMap((object) => [object, ...values.map((value) => ({ ...object, [each]: value }))]),
  [{}],
);

/** A schema that accepts exactly those objects. */
export const closedObject: JsonObject = {
  type: "object",
  properties: Object.fromEntries(names.map((each) => [each, enumeration(...values)])),
  additionalProperties: false,
};

const memberSchema: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constantFrom(...values).map(constant),
  fc.subarray([...values], { minLength: 1 }).map((chosenValues) => enumeration(...chosenValues)),
  fc.constantFrom("^x", "y$", "^y$").map((pattern) => ({ type: "string", pattern })),
  fc.constantFrom("string", "integer").map((type) => ({ type })),
  fc.constantFrom(...values).map((value) => ({ not: constant(value) })),
);

const plainSchema: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        fc.dictionary(fc.constantFrom(...names), memberSchema, { maxKeys: 2 }),
        fc.subarray(names, { maxLength: 2 }),
      )
      .map(([properties, required]) => ({ properties: { ...properties }, required })),
  },
  fc.constantFrom(...names).map((each) => ({ not: requireMembers(each) })),
  fc.constantFrom(1, 2, 3).map((minProperties) => ({ minProperties })),
  fc.constantFrom(1, 2, 3).map((maxProperties) => ({ maxProperties })),
  fc.tuple(fc.constantFrom("^[ab]$", "^[bc]$", "d"), memberSchema).map(([pattern, subschema]) => ({
    patternProperties: { [pattern]: subschema },
  })),
  fc.constant(false),
);

const { conditional } = fc.letrec<{ subschema: Json; conditional: Json }>((tie) => ({
  subschema: fc.oneof({ weight: 6, arbitrary: plainSchema }, tie("conditional")),
  conditional: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    {
      weight: 6,
      arbitrary: fc
        .record({ if: tie("subschema"), then: tie("subschema"), else: tie("subschema") }, { requiredKeys: ["if"] })
        .map((each): JsonObject => ({ ...each })),
    },
    fc.array(tie("subschema"), { minLength: 1, maxLength: 3 }).map((oneOf) => ({ oneOf })),
    fc.array(tie("subschema"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    tie("subschema").map((subschema) => ({ not: subschema })),
    fc
      .tuple(fc.constantFrom(...names), tie("subschema"))
      .map(([each, subschema]) => ({ dependentSchemas: { [each]: subschema } })),
  ),
}));

/** Many conditionals over four members, also with `unevaluatedProperties` around them. */
export const conditionals: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.array(conditional, { minLength: 3, maxLength: 14 }),
    fc.subarray(names, { maxLength: 2 }),
    fc.nat({ max: 3 }),
  )
  .map(([allOf, required, chance]) => ({
    $schema: dialect,
    required,
    allOf,
    ...(chance === 0 ? { properties: { a: true }, unevaluatedProperties: false } : {}),
  }));
