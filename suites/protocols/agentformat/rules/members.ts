import { readOnce } from "../../../../generators/index.ts";
import { type Checker, isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";
import type { DocumentPart } from "./parts.ts";
import { agentSchema } from "./schema.ts";

/** Members that depend on the deployment. */
const deploymentMembers = ["max_cost_usd", "auth", "endpoint", "url"];

const unknownMemberChecker: Checker = {
  rule: "AGF-COMPAT-003",
  documents: ["agent"],
  *check(agent) {
    for (const { at } of unknownMembers(agent))
      if (!deploymentMembers.includes(nameOf(at))) yield { at, why: `is not a known member: ${nameOf(at)}` };
  },
};

const deployedChecker: Checker = {
  rule: "AGF-CONS-006",
  documents: ["agent"],
  *check(agent) {
    for (const { at } of unknownMembers(agent))
      if (deploymentMembers.includes(nameOf(at)))
        yield { at, why: `depends on the deployment: only the runtime can know ${nameOf(at)}` };
  },
};

function nameOf(at: string): string {
  return pointer.split(at).last;
}

/**
 * The members of an agent document that its schema does not name, without the members nested in them. Objects that may have any
 * name are exempt: maps with data as keys, the schemas of input and output, and the settings of a vendor's policy.
 */
export const unknownMembers: (agent: Json) => readonly DocumentPart[] = readOnce(findUnknownMembers);

function findUnknownMembers(agent: Json): DocumentPart[] {
  const { schema } = agentSchema();
  const schemaOfSchemas = pointer.at("/$defs/SchemaRef", schema);
  return [...unknownMembersBelow(agent, "", [schema])];

  function* unknownMembersBelow(value: Json, at: string, parentSchemas: readonly Json[]): Iterable<DocumentPart> {
    const schemas = parentSchemas.flatMap((parent) => applicableSchemas(parent, value, schema));
    if (Array.isArray(value)) {
      const items = schemas.flatMap((applicable) => applicable.items ?? []);
      for (const [index, item] of value.entries()) yield* unknownMembersBelow(item, pointer.append(at, index), items);
    }
    if (
      !isObject(value) ||
      schemas.some((applicable) => "additionalProperties" in applicable || applicable === schemaOfSchemas)
    )
      return;
    const knownMembers = schemas.map((applicable) => (applicable.properties ?? {}) as JsonObject);
    if (knownMembers.every((properties) => Object.keys(properties).length === 0)) return;
    for (const [name, member] of Object.entries(value)) {
      const innerSchemas = knownMembers.flatMap((properties) =>
        Object.hasOwn(properties, name) ? [properties[name] as Json] : [],
      );
      const place = pointer.append(at, name);
      if (innerSchemas.length === 0) yield { at: place, value: member };
      else yield* unknownMembersBelow(member, place, innerSchemas);
    }
  }
}

/** A schema with its references and branches resolved. Its conditional parts each apply to one policy id. */
interface FlatSchema {
  always: readonly JsonObject[];
  conditional: readonly { id: Json | undefined; consequence: Json }[];
}

const flatSchemas = new WeakMap<JsonObject, FlatSchema>();

function flattenSchema(schema: JsonObject, root: JsonObject): FlatSchema {
  const cachedSchema = flatSchemas.get(schema);
  if (cachedSchema !== undefined) return cachedSchema;
  const { $ref, allOf = [], oneOf = [], if: condition, then = {} } = schema;
  const target = typeof $ref === "string" ? [pointer.at($ref.slice(1), root) ?? {}] : [];
  const subschemas = [...target, ...(allOf as Json[]), ...(oneOf as Json[])].filter(isObject);
  const flatSubschemas = subschemas.map((subschema) => flattenSchema(subschema, root));
  const ownConditional =
    condition === undefined ? [] : [{ id: pointer.at("/properties/id/const", condition), consequence: then }];
  const flat = {
    always: [schema, ...flatSubschemas.flatMap(({ always }) => always)],
    conditional: [...ownConditional, ...flatSubschemas.flatMap(({ conditional }) => conditional)],
  };
  flatSchemas.set(schema, flat);
  return flat;
}

/** This schema and all subschemas that apply to the same value. */
function applicableSchemas(schema: Json, value: Json, root: JsonObject): readonly JsonObject[] {
  if (!isObject(schema)) return [];
  const { always, conditional } = flattenSchema(schema, root);
  if (conditional.length === 0 || !isObject(value)) return always;
  const { id } = value;
  const applicable = conditional.filter((addition) => addition.id === id);
  return [...always, ...applicable.flatMap(({ consequence }) => applicableSchemas(consequence, value, root))];
}

/** Checks for unknown members. */
export const memberCheckers: readonly Checker[] = [unknownMemberChecker, deployedChecker];
