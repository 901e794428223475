import { readOnce } from "../../../../generators/index.ts";
import { type Checker, isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";
import type { DocumentPart } from "./parts.ts";
import { agentSchema } from "./schema.ts";

/** Members that depend on the deployment. */
const deployment = ["max_cost_usd", "auth", "endpoint", "url"];

const unknownMemberChecker: Checker = {
  rule: "AGF-COMPAT-003",
  documents: ["agent"],
  *check(agent) {
    for (const { at } of unknownMembers(agent))
      if (!deployment.includes(nameOf(at))) yield { at, why: `is not a known member: ${nameOf(at)}` };
  },
};

const deployedChecker: Checker = {
  rule: "AGF-CONS-006",
  documents: ["agent"],
  *check(agent) {
    for (const { at } of unknownMembers(agent))
      if (deployment.includes(nameOf(at)))
        yield { at, why: `depends on the place of deployment: only the runtime can know ${nameOf(at)}` };
  },
};

function nameOf(at: string): string {
  return pointer.split(at).last;
}

/**
 * The members of an agent document that its schema does not name, the outermost of each. Exempt are names that cannot be known in
 * advance: maps with data as keys, the schemas of input and output, and the settings of a vendor's policy.
 */
export const unknownMembers: (agent: Json) => readonly DocumentPart[] = readOnce(strangersIn);

function strangersIn(agent: Json): DocumentPart[] {
  const { schema } = agentSchema();
  const embedded = pointer.at("/$defs/SchemaRef", schema);
  return [...unknownMembersBelow(agent, "", [schema])];

  function* unknownMembersBelow(value: Json, at: string, above: readonly Json[]): Iterable<DocumentPart> {
    const schemas = above.flatMap((each) => parts(each, value, schema));
    if (Array.isArray(value)) {
      const items = schemas.flatMap((each) => each.items ?? []);
      for (const [index, item] of value.entries()) yield* unknownMembersBelow(item, pointer.append(at, index), items);
    }
    if (!isObject(value) || schemas.some((each) => "additionalProperties" in each || each === embedded)) return;
    const knownMembers = schemas.map((each) => (each.properties ?? {}) as JsonObject);
    if (knownMembers.every((properties) => Object.keys(properties).length === 0)) return;
    for (const [name, member] of Object.entries(value)) {
      const innerSchemas = knownMembers.flatMap((each) => (Object.hasOwn(each, name) ? [each[name] as Json] : []));
      const place = pointer.append(at, name);
      if (innerSchemas.length === 0) yield { at: place, value: member };
      else yield* unknownMembersBelow(member, place, innerSchemas);
    }
  }
}

/** A schema with its references and branches resolved, and the additions of its conditions, which require an id. */
interface FlatSchema {
  always: readonly JsonObject[];
  conditional: readonly { id: Json | undefined; consequence: Json }[];
}

const flatSchemas = new WeakMap<JsonObject, FlatSchema>();

function spreadSchema(schema: JsonObject, root: JsonObject): FlatSchema {
  const known = flatSchemas.get(schema);
  if (known !== undefined) return known;
  const { $ref, allOf = [], oneOf = [], if: condition, then = {} } = schema;
  const target = typeof $ref === "string" ? [pointer.at($ref.slice(1), root) ?? {}] : [];
  const further = [...target, ...(allOf as Json[]), ...(oneOf as Json[])].filter(isObject);
  const otherSchemas = further.map((each) => spreadSchema(each, root));
  const ownConditional =
    condition === undefined ? [] : [{ id: pointer.at("/properties/id/const", condition), consequence: then }];
  const flat = {
    always: [schema, ...otherSchemas.flatMap(({ always }) => always)],
    conditional: [...ownConditional, ...otherSchemas.flatMap(({ conditional }) => conditional)],
  };
  flatSchemas.set(schema, flat);
  return flat;
}

/** This schema and all others that apply to the same value. */
function parts(schema: Json, value: Json, root: JsonObject): readonly JsonObject[] {
  if (!isObject(schema)) return [];
  const { always, conditional } = spreadSchema(schema, root);
  if (conditional.length === 0 || !isObject(value)) return always;
  const { id } = value;
  const applicable = conditional.filter((each) => each.id === id);
  return [...always, ...applicable.flatMap(({ consequence }) => parts(consequence, value, root))];
}

/** Unknown members. */
export const memberCheckers: readonly Checker[] = [unknownMemberChecker, deployedChecker];
