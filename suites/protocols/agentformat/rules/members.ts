import { readOnce } from "../../../../generators/index.ts";
import {
  type Checker,
  isObject,
  type Json,
  type JsonObject,
  pointer,
  type RuleFamily,
} from "../../../../schemas/index.ts";
import { memberCases } from "./members.cases.ts";
import type { Part } from "./parts.ts";
import { agentSchema } from "./schema.ts";

/** What changes with the place where an agent is deployed. */
const deployment = ["max_cost_usd", "auth", "endpoint", "url"];

const unknown: Checker = {
  rule: "AGF-COMPAT-003",
  documents: ["agent"],
  *check(agent) {
    for (const { at } of unknownMembers(agent))
      if (!deployment.includes(nameOf(at))) yield { at, why: `is no member that is known: ${nameOf(at)}` };
  },
};

const deployed: Checker = {
  rule: "AGF-CONS-006",
  documents: ["agent"],
  *check(agent) {
    for (const { at } of unknownMembers(agent))
      if (deployment.includes(nameOf(at)))
        yield { at, why: `depends on where the agent is deployed: ${nameOf(at)} is for the runtime to know` };
  },
};

function nameOf(at: string): string {
  return pointer.split(at).last;
}

/**
 * The members of an agent document that its schema does not name, the outermost of each. Left alone is what nobody names in advance: maps
 * whose keys are data, the schemas of input and output, and the settings of a policy that is not the standard's.
 */
export const unknownMembers: (agent: Json) => readonly Part[] = readOnce(strangersIn);

function strangersIn(agent: Json): Part[] {
  const { schema } = agentSchema();
  const embedded = pointer.at("/$defs/SchemaRef", schema);
  return [...strangers(agent, "", [schema])];

  function* strangers(value: Json, at: string, above: readonly Json[]): Iterable<Part> {
    const schemas = above.flatMap((each) => parts(each, value));
    if (Array.isArray(value)) {
      const items = schemas.flatMap((each) => each.items ?? []);
      for (const [index, item] of value.entries()) yield* strangers(item, pointer.append(at, index), items);
    }
    if (!isObject(value) || schemas.some((each) => each === embedded || "additionalProperties" in each)) return;
    const known = schemas.map((each) => (each.properties ?? {}) as JsonObject);
    if (known.every((properties) => Object.keys(properties).length === 0)) return;
    for (const [name, member] of Object.entries(value)) {
      const below = known.flatMap((each) => (Object.hasOwn(each, name) ? [each[name] as Json] : []));
      const place = pointer.append(at, name);
      if (below.length === 0) yield { at: place, value: member };
      else yield* strangers(member, place, below);
    }
  }

  /** A schema with all that it refers to, and with its branches: those of a condition where that holds. */
  function parts(each: Json, value: Json): JsonObject[] {
    if (!isObject(each)) return [];
    const { $ref, allOf = [], oneOf = [], if: condition, then = {} } = each;
    const target = typeof $ref === "string" ? [pointer.at($ref.slice(1), schema) ?? {}] : [];
    const branch = condition !== undefined && isSelected(condition, value) ? [then] : [];
    const further = [...target, ...(allOf as Json[]), ...(oneOf as Json[]), ...branch];
    return [each, ...further.flatMap((one) => parts(one, value))];
  }
}

/** Conditions of the schema ask for one id. */
function isSelected(condition: Json, value: Json): boolean {
  return isObject(value) && pointer.at("/properties/id/const", condition) === value.id;
}

/** Members that nobody knows. */
export const members: RuleFamily = { name: "members", checkers: [unknown, deployed], cases: memberCases };
