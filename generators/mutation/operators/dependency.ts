import { isObject, type Json, type JsonObject, pointer } from "../../../schemas/index.ts";
import { holdsAt } from "../../evaluate/evaluate.ts";
import { type Keyword, type KeywordOf, type Location, type Model, type Node, nodeAt } from "../../model/model.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Mutant, Operator, UnnamedMutant } from "../mutant.ts";
import { type AddedSchema, addAlternative, addAssertion, type ChangedSchema, strengthen } from "../schema-edits.ts";

/** Values that count as absent in a program that tests the value instead of the presence of the member. */
const emptyValues: readonly Json[] = [null, false, 0, "", []];

/**
 * Mutants in which a member with null or another empty value counts as absent. Made for members in dependencies, and for members that a negation, a
 * condition or a branch requires.
 */
export const dependencyOperator: Operator = {
  name: "null-dependency",
  *mutate(node, model, raw) {
    for (const keyword of node.keywords) {
      if (keyword.kind === "dependentRequired") yield* requiredMutants(node, raw, { keyword, model });
      if (keyword.kind === "dependentSchemas") yield* schemaMutants(node, raw, { keyword, model });
      for (const [choice, choiceSchema] of choicesOf(keyword, model, raw))
        yield* choiceMutants(choice, choiceSchema, { node, model });
    }
  },
};

/** Yields the mutant of a keyword if the change can be made. */
function* mutantOf(
  { kind, site }: Keyword,
  effect: Mutant["effect"],
  says: string,
  changed: ChangedSchema | undefined,
): Iterable<UnnamedMutant> {
  if (changed !== undefined)
    yield { effect, isFineGrained: true, isTriedEarly: true, site, keyword: kind, says, ...changed };
}

function* requiredMutants(
  node: Node,
  raw: JsonObject,
  { keyword, model }: { keyword: KeywordOf<"dependentRequired">; model: Model },
): Iterable<UnnamedMutant> {
  for (const [name, required] of keyword.entries) {
    for (const emptyValue of allowedValues(node, model, name))
      yield* mutantOf(
        keyword,
        "weaker",
        describeAbsent(name, emptyValue),
        withoutDependents(node, raw, { keyword, name, required, emptyValue }),
      );
    for (const dependent of required)
      for (const emptyValue of allowedValues(node, model, dependent))
        yield* mutantOf(
          keyword,
          "stronger",
          describeAbsent(`${dependent}, on which ${name} depends,`, emptyValue),
          strengthen(node, raw, {
            not: { required: [name, dependent], properties: { [dependent]: onlyValue(emptyValue) } },
          }),
        );
  }
}

function* schemaMutants(
  node: Node,
  raw: JsonObject,
  { keyword, model }: { keyword: KeywordOf<"dependentSchemas">; model: Model },
): Iterable<UnnamedMutant> {
  for (const [name, to] of keyword.entries) {
    const dependentSchema = pointer.at(pointer.append("", name), raw[lastSegment(keyword.site)] ?? null);
    if (!isObject(dependentSchema)) continue;
    yield* mutantOf(
      keyword,
      "stronger",
      `the dependent schema of ${name} applies without it`,
      addAssertion(model, node, { raw, target: to, targetSchema: dependentSchema }),
    );
    yield* mutantOf(
      keyword,
      "stronger",
      `the members in the dependent schema of ${name} are checked without it`,
      assertMembers(model, node, { raw, to, dependentSchema }),
    );
    for (const emptyValue of allowedValues(node, model, name))
      yield* mutantOf(
        keyword,
        "weaker",
        describeAbsent(name, emptyValue),
        addAlternative(nodeAt(model, to), dependentSchema, { properties: { [name]: onlyValue(emptyValue) } }, model),
      );
  }
}

/** Yields mutants of a schema that only selects between others: a required member counts as absent if it is empty. */
function* choiceMutants(
  choice: Node,
  choiceSchema: JsonObject,
  { node, model }: { node: Node; model: Model },
): Iterable<UnnamedMutant> {
  const allowedByBoth = (name: string): Json[] => {
    const allowedByChoice = allowedValues(choice, model, name);
    return allowedValues(node, model, name).filter((value) => allowedByChoice.includes(value));
  };
  for (const required of choice.keywords) {
    if (required.kind !== "required") continue;
    for (const name of required.names.slice(0, maxNames))
      for (const emptyValue of allowedByBoth(name))
        yield {
          effect: "other",
          isFineGrained: true,
          isTriedEarly: true,
          site: required.site,
          keyword: "required",
          says: describeAbsent(name, emptyValue),
          ...strengthen(choice, choiceSchema, {
            not: { required: [name], properties: { [name]: onlyValue(emptyValue) } },
          }),
        };
  }
}

/** The maximum number of names in one list that are examined. */
const maxNames = 8;

/** Lists the schemas of a keyword that only select between others, with their source in the document. */
function choicesOf(keyword: Keyword, model: Model, raw: JsonObject): [Node, JsonObject][] {
  const choiceAt = (location: Location, choiceSchema: Json | undefined): [Node, JsonObject][] =>
    isObject(choiceSchema) && location.startsWith(keyword.site) ? [[nodeAt(model, location), choiceSchema]] : [];
  if (keyword.kind === "not") return choiceAt(keyword.node, raw.not);
  if (keyword.kind === "if") return choiceAt(keyword.condition, raw.if);
  if (keyword.kind !== "anyOf" && keyword.kind !== "oneOf") return [];
  const branches = raw[keyword.kind];
  return Array.isArray(branches) ? keyword.nodes.flatMap((location, index) => choiceAt(location, branches[index])) : [];
}

function describeAbsent(name: string, emptyValue: Json): string {
  return `${name} is absent when it is ${JSON.stringify(emptyValue)}`;
}

function onlyValue(value: Json): AddedSchema {
  return value === null ? { type: "null" } : { enum: [value] };
}

/** Returns the schema in which the dependents of a member may be absent if it is empty. */
function withoutDependents(
  node: Node,
  raw: JsonObject,
  {
    keyword,
    name,
    required,
    emptyValue,
  }: { keyword: KeywordOf<"dependentRequired">; name: string; required: string[]; emptyValue: Json },
): ChangedSchema {
  const entries = keyword.entries.filter(([entryName]) => entryName !== name);
  const { edits, nodes } = strengthen(withKeyword(node, keyword, { ...keyword, entries }), raw, {
    not: { required: [name], properties: { [name]: { not: onlyValue(emptyValue) } }, not: { required } },
  });
  return { edits: [{ at: pointer.append(keyword.site, name) }, ...edits], nodes };
}

/** Returns the schema with the `properties` of a dependent schema added. Undefined if the dependent schema has no other keywords. */
function assertMembers(
  model: Model,
  node: Node,
  { raw, to, dependentSchema: { properties } }: { raw: JsonObject; to: Location; dependentSchema: JsonObject },
): ChangedSchema | undefined {
  const { keywords, ...dependent } = nodeAt(model, to);
  const propertiesKeywords = keywords.filter(({ kind }) => kind === "properties");
  if (propertiesKeywords.length === 0 || propertiesKeywords.length === keywords.length || properties === undefined)
    return undefined;
  const location = `${to}/properties-alone`;
  const { edits, nodes } = addAssertion(model, node, { raw, target: location, targetSchema: { properties } }) ?? {};
  return edits && nodes && { edits, nodes: [...nodes, { ...dependent, location, keywords: propertiesKeywords }] };
}

/** Lists the empty values that the schema itself allows for a member, if it restricts the member. */
function allowedValues({ keywords }: Node, model: Model, name: string): readonly Json[] {
  const properties = keywords.find((keyword) => keyword.kind === "properties");
  const entry =
    properties?.kind === "properties" ? properties.entries.find(([entryName]) => entryName === name) : undefined;
  return entry === undefined ? emptyValues : emptyValues.filter((value) => holdsAt(model, entry[1], value));
}

/** Returns the last segment of a keyword's location, such as `dependencies` in older drafts. */
function lastSegment(site: string): string {
  return site.slice(site.lastIndexOf("/") + 1);
}
