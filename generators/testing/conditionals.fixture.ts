import fc from "fast-check";
import type { Json, JsonObject } from "../../schemas/index.ts";

// For tests: schemas of conditionals that meet in few members, as those are that state what may follow what.

const dialect = "https://json-schema.org/draft/2020-12/schema";

/** `if` of members, `then` and `else` of others. */
function when(members: JsonObject, then: Json, otherwise?: Json): JsonObject {
  const condition = { properties: members, required: Object.keys(members) };
  return { if: condition, then, ...(otherwise === undefined ? {} : { else: otherwise }) };
}

const constant = (value: Json): JsonObject => ({ const: value });
const enumeration = (...values: Json[]): JsonObject => ({ enum: values });
const like = (pattern: string): JsonObject => ({ pattern });
const says = (properties: JsonObject, ...required: string[]): JsonObject => ({ properties, required });
const needs = (...required: string[]): JsonObject => ({ required });

const [agent, human, group] = [like("^agent:"), like("^human:"), like("^group:")];
const [first, second] = [like("^1[.]"), like("^2[.]")];

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
    when({ type: enumeration("counter", "accept", "decline", "result") }, needs("answers")),
    when({ type: constant("offer") }, { not: needs("answers") }),
    when({ version: second }, needs("status")),
    when({ version: first }, says({ type: enumeration("offer", "accept", "decline", "result", "error") })),
    when({ from: group }, says({ type: enumeration("offer", "cancel") })),
    when(
      { to: group },
      says({ type: enumeration("offer", "progress", "error") }),
      says({ from: { pattern: "^(agent|human):" } }),
    ),
    when({ type: constant("error") }, needs("reason")),
    when({ urgent: constant(true) }, needs("to")),
  ],
};

const more: JsonObject[] = [
  when({ type: constant("offer") }, says({ status: enumeration("draft", "open"), price: { minimum: 1 } }, "price")),
  when(
    { type: constant("counter") },
    says({ status: constant("open"), price: { minimum: 1 }, version: second }, "price"),
  ),
  when({ type: constant("accept") }, says({ status: constant("bound"), from: human })),
  when({ type: constant("decline") }, says({ status: constant("void") }, "reason")),
  when(
    { type: constant("progress") },
    says({ status: enumeration("running", "bound"), from: agent, share: { exclusiveMaximum: 1 } }),
  ),
  when({ type: constant("result") }, says({ status: enumeration("done", "failed") })),
  when({ type: constant("cancel") }, says({ status: constant("void"), from: human })),
  when({ type: constant("error") }, says({ status: constant("failed"), from: agent })),
  when({ status: constant("draft") }, says({ to: group })),
  when({ status: constant("open") }, says({ from: agent, to: agent })),
  when({ status: constant("bound") }, says({ version: first })),
  when({ status: constant("running") }, says({ version: second, price: { multipleOf: 5 } }, "price")),
  when({ status: constant("done") }, says({ share: constant(1) })),
  when({ status: constant("failed") }, says({ share: { exclusiveMaximum: 0.5 } }, "reason")),
  when({ status: constant("void") }, says({ urgent: constant(false) })),
  when({ status: constant("failed"), version: first }, says({ type: constant("error") })),
  when({ from: human }, says({ urgent: constant(true) })),
  when({ from: human, to: agent }, says({ version: second })),
  when({ from: agent, to: human }, says({ status: enumeration("running", "failed") })),
  when({ from: agent, to: agent }, says({ type: enumeration("counter", "result", "progress") })),
  when({ from: agent, to: group }, says({ urgent: constant(true), share: { minimum: 0.25 } })),
  when({ version: first }, says({ price: { maximum: 100 } })),
  when({ version: second }, says({ version: like("[02468]$") })),
  when({ version: second, type: constant("result") }, says({ status: constant("failed"), to: human })),
  when({ version: second, type: constant("counter") }, says({ urgent: constant(true), to: human })),
  when({ urgent: constant(true) }, says({ share: { exclusiveMinimum: 0 } })),
  when({ urgent: constant(true), status: constant("running") }, says({ to: group })),
  when(
    { urgent: constant(false), status: constant("running") },
    says({ to: agent, share: { maximum: 0.1 } }, "reason"),
  ),
  when({ urgent: constant(false), type: constant("progress") }, says({ price: { multipleOf: 7, minimum: 1 } })),
  when({ reason: {} }, says({ reason: like("[.]$"), type: enumeration("decline", "error", "result", "progress") })),
  when({ share: constant(0) }, says({ type: enumeration("offer", "decline") })),
  when({ price: { minimum: 50 } }, says({ to: like("-pool$") })),
];

/** Messages with a life cycle: thirty-two conditionals beside a reference to a schema of eight more. */
export const lifeCycle: JsonObject = {
  $schema: dialect,
  $ref: "#/$defs/base",
  required: ["status", "to", "answers", "share", "urgent"],
  allOf: more,
  $defs: { base },
};

/** As many conditionals that say nothing of one another. */
export function independent(count: number): JsonObject {
  const names = Array.from({ length: count }, (_, index) => String(index));
  return {
    $schema: dialect,
    type: "object",
    properties: Object.fromEntries(names.map((each) => [`m${each}`, { type: "string" }])),
    allOf: names.map((each) => when({ [`m${each}`]: constant("a") }, needs(`t${each}`), needs(`e${each}`))),
  };
}

const names = ["a", "b", "c", "d"];
const values: readonly Json[] = ["x", "xy", "y", 1];

/** All objects of the four members that random conditionals speak of, each with one of four values or absent. */
export const allObjects: readonly JsonObject[] = names.reduce<JsonObject[]>(
  (all, each) => all.flatMap((object) => [object, ...values.map((value) => ({ ...object, [each]: value }))]),
  [{}],
);

/** A schema of those objects. */
export const closedObject: JsonObject = {
  type: "object",
  properties: Object.fromEntries(names.map((each) => [each, enumeration(...values)])),
  additionalProperties: false,
};

const memberSaid: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constantFrom(...values).map(constant),
  fc.subarray([...values], { minLength: 1 }).map((some) => enumeration(...some)),
  fc.constantFrom("^x", "y$", "^y$").map((pattern) => ({ type: "string", pattern })),
  fc.constantFrom("string", "integer").map((type) => ({ type })),
  fc.constantFrom(...values).map((value) => ({ not: constant(value) })),
);

const plainSaid: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.dictionary(fc.constantFrom(...names), memberSaid, { maxKeys: 2 }), fc.subarray(names, { maxLength: 2 }))
      .map(([properties, required]) => ({ properties: { ...properties }, required })),
  },
  fc.constantFrom(...names).map((each) => ({ not: needs(each) })),
  fc.constantFrom(1, 2, 3).map((minProperties) => ({ minProperties })),
  fc.constantFrom(1, 2, 3).map((maxProperties) => ({ maxProperties })),
  fc.tuple(fc.constantFrom("^[ab]$", "^[bc]$", "d"), memberSaid).map(([pattern, said]) => ({
    patternProperties: { [pattern]: said },
  })),
  fc.constant(false),
);

const { conditional } = fc.letrec<{ said: Json; conditional: Json }>((tie) => ({
  said: fc.oneof({ weight: 6, arbitrary: plainSaid }, tie("conditional")),
  conditional: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    {
      weight: 6,
      arbitrary: fc
        .record({ if: tie("said"), then: tie("said"), else: tie("said") }, { requiredKeys: ["if"] })
        .map((each): JsonObject => ({ ...each })),
    },
    fc.array(tie("said"), { minLength: 1, maxLength: 3 }).map((oneOf) => ({ oneOf })),
    fc.array(tie("said"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    tie("said").map((said) => ({ not: said })),
    fc.tuple(fc.constantFrom(...names), tie("said")).map(([each, said]) => ({ dependentSchemas: { [each]: said } })),
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
