import { isObject, type Json, type JsonObject } from "../../../schemas/index.ts";
import { holdsAt } from "../../evaluate/evaluate.ts";
import type { Model, Node } from "../../model/model.ts";
import type { Operator } from "../mutant.ts";
import {
  type AddedSchema,
  addAlternative,
  type ChangedSchema,
  combineReference,
  memberAt,
  nodesOf,
  strengthen,
} from "../schema-edits.ts";

/** The empty value of each type in programming languages. */
const zeros: [type: string, value: Json][] = [
  ["string", ""],
  ["integer", 0],
  ["number", 0],
  ["boolean", false],
  ["array", []],
  ["object", {}],
];

/** Mutants about an empty value of a member: it is accepted as if the member were absent, or refused as if a required member were missing. */
export const emptyValueOperator: Operator = {
  name: "empty-value",
  *mutate(node, model, raw) {
    const properties = node.keywords.find((keyword) => keyword.kind === "properties");
    if (properties?.kind !== "properties") return;
    const required = node.keywords.flatMap((keyword) => (keyword.kind === "required" ? keyword.names : []));
    for (const [name, location] of properties.entries) {
      const member = model.nodes.get(location);
      if (member?.always === false && isForbiddenHere(raw, name)) {
        yield {
          site: location,
          keyword: "properties",
          effect: "weaker" as const,
          isFineGrained: true as const,
          says: `${name} may be null, as if it were absent`,
          edits: [{ at: location, value: { enum: [null] } }],
          nodes: nodesOf({ enum: [null] }, location, member.resource),
        };
        continue;
      }
      const memberSchema = memberAt(raw, name);
      if (member === undefined || memberSchema === undefined || member.keywords.length === 0) continue;
      const base = { site: location, keyword: "properties" };
      const changeReference = (combinator: "anyOf" | "allOf", extra: AddedSchema): ChangedSchema | undefined =>
        combineReference(node, properties, { name, location, raw: memberSchema }, { combinator, extra });
      for (const emptyValue of refusedValues(member, model)) {
        const extra = { enum: [emptyValue] };
        const changed = changeReference("anyOf", extra) ?? addAlternative(member, memberSchema, extra, model);
        if (changed === undefined) continue;
        yield {
          ...base,
          effect: "weaker",
          says: `${name} may be ${JSON.stringify(emptyValue)}, as if it were absent`,
          ...changed,
        };
      }
      const allowed = zeros.map(([, value]) => value).filter((value) => holdsAt(model, location, value));
      const distinctValues = [...new Set(allowed)];
      if (!required.includes(name) || distinctValues.length === 0) continue;
      const notEmpty = { not: { enum: distinctValues } };
      yield {
        ...base,
        effect: "stronger",
        says: `${name} is missing when it is ${distinctValues.map((value) => JSON.stringify(value)).join(" or ")}`,
        ...(changeReference("allOf", notEmpty) ?? strengthen(member, memberSchema, notEmpty)),
      };
    }
  },
};

/** Whether the document forbids the member in its own entry, not by a definition elsewhere. */
function isForbiddenHere({ properties }: JsonObject, name: string): boolean {
  return isObject(properties) && Object.hasOwn(properties, name) && properties[name] === false;
}

/** Lists the empty values that the schema forbids. A value of a wrong type is included only if no other mutant covers it. */
function refusedValues(member: Node, model: Model): Json[] {
  const types = typesOf(member, model);
  const isListed = member.keywords.some(({ kind }) => kind === "enum" || kind === "const");
  const isTypeChecked = member.keywords.some(({ kind }) => kind === "type") && !isListed;
  const emptyOfType = [
    ...zeros.filter(([name]) => types.includes(name)).map(([, value]) => value),
    ...(isTypeChecked ? [] : [null]),
  ];
  return [...new Set(emptyOfType)].filter((value) => !holdsAt(model, member.location, value));
}

/** Lists the types that a schema declares, itself or in the schemas that it refers to. */
function typesOf(node: Node, model: Model, visited: ReadonlySet<Node> = new Set()): readonly string[] {
  const type = node.keywords.find((keyword) => keyword.kind === "type");
  if (type?.kind === "type") return type.types;
  const reference = node.keywords.find((keyword) => keyword.kind === "ref");
  const next = reference?.kind === "ref" ? model.nodes.get(reference.node) : undefined;
  return next === undefined || visited.has(next) ? [] : typesOf(next, model, new Set([...visited, next]));
}
