import { isObject, type Json, type JsonObject, pointer } from "../../../schemas/index.ts";
import { holdsAt } from "../../evaluate/evaluate.ts";
import { type Keyword, type KeywordOf, type Location, type Model, type Node, nodeAt } from "../../model/model.ts";
import { withKeyword } from "../keyword-change.ts";
import type { FoundMutant, Mutant, Operator } from "../mutant.ts";
import { type AddedSchema, addAlternative, addAssertion, type ChangedSchema, strengthen } from "../schema-edits.ts";

/** Values that a program confuses with absence if it tests the value and not whether the member is present. */
const emptyValues: readonly Json[] = [null, false, 0, "", []];

/**
 * A member with null or another empty value counts as absent, if others depend on it or it depends on others, or if a negation, a condition or a branch
 * requires it.
 */
export const dependency: Operator = {
  name: "null-dependency",
  *mutate(node, model, raw) {
    for (const keyword of node.keywords) {
      if (keyword.kind === "dependentRequired") yield* requiredMutants(node, raw, { keyword, model });
      if (keyword.kind === "dependentSchemas") yield* schemaMutants(node, raw, { keyword, model });
      for (const [choice, written] of choicesOf(keyword, model, raw))
        yield* choiceMutants(choice, written, { node, model });
    }
  },
};

/** A mutant of a keyword for dependencies; none if nothing can be changed. */
function* mutantOf(
  { kind, site }: Keyword,
  effect: Mutant["effect"],
  says: string,
  changed: ChangedSchema | undefined,
): Iterable<FoundMutant> {
  if (changed !== undefined) yield { effect, fine: true, soon: true, site, keyword: kind, says, ...changed };
}

function* requiredMutants(
  node: Node,
  raw: JsonObject,
  { keyword, model }: { keyword: KeywordOf<"dependentRequired">; model: Model },
): Iterable<FoundMutant> {
  for (const [name, required] of keyword.entries) {
    for (const nothing of allowedValues(node, model, name))
      yield* mutantOf(
        keyword,
        "weaker",
        describeAbsent(name, nothing),
        withoutDependents(node, raw, { keyword, name, required, nothing }),
      );
    for (const other of required)
      for (const nothing of allowedValues(node, model, other))
        yield* mutantOf(
          keyword,
          "stronger",
          describeAbsent(`${other}, on which ${name} depends,`, nothing),
          strengthen(node, raw, { not: { required: [name, other], properties: { [other]: onlyValue(nothing) } } }),
        );
  }
}

function* schemaMutants(
  node: Node,
  raw: JsonObject,
  { keyword, model }: { keyword: KeywordOf<"dependentSchemas">; model: Model },
): Iterable<FoundMutant> {
  for (const [name, to] of keyword.entries) {
    const written = pointer.at(pointer.append("", name), raw[lastSegment(keyword.site)] ?? null);
    if (!isObject(written)) continue;
    yield* mutantOf(
      keyword,
      "stronger",
      `the dependent schema of ${name} applies without it`,
      addAssertion(model, node, { raw, there: to, written }),
    );
    yield* mutantOf(
      keyword,
      "stronger",
      `the members in the dependent schema of ${name} are checked without it`,
      assertMembers(model, node, { raw, to, written }),
    );
    for (const nothing of allowedValues(node, model, name))
      yield* mutantOf(
        keyword,
        "weaker",
        describeAbsent(name, nothing),
        addAlternative(nodeAt(model, to), written, { properties: { [name]: onlyValue(nothing) } }, model),
      );
  }
}

/** Mutants of a schema that only selects: a required member counts as absent if it is empty. */
function* choiceMutants(
  choice: Node,
  written: JsonObject,
  { node, model }: { node: Node; model: Model },
): Iterable<FoundMutant> {
  const allowedInBoth = (name: string): Json[] => {
    const others = allowedValues(choice, model, name);
    return allowedValues(node, model, name).filter((each) => others.includes(each));
  };
  for (const required of choice.keywords) {
    if (required.kind !== "required") continue;
    for (const name of required.names.slice(0, maxNames))
      for (const nothing of allowedInBoth(name))
        yield {
          effect: "other",
          fine: true,
          soon: true,
          site: required.site,
          keyword: "required",
          says: describeAbsent(name, nothing),
          ...strengthen(choice, written, { not: { required: [name], properties: { [name]: onlyValue(nothing) } } }),
        };
  }
}

/** The maximum number of names in one list that are examined. */
const maxNames = 8;

/** The schemas of a keyword that only select, with their text in the document. */
function choicesOf(keyword: Keyword, model: Model, raw: JsonObject): [Node, JsonObject][] {
  const at = (location: Location, written: Json | undefined): [Node, JsonObject][] =>
    isObject(written) && location.startsWith(keyword.site) ? [[nodeAt(model, location), written]] : [];
  if (keyword.kind === "not") return at(keyword.node, raw.not);
  if (keyword.kind === "if") return at(keyword.condition, raw.if);
  if (keyword.kind !== "anyOf" && keyword.kind !== "oneOf") return [];
  const branches = raw[keyword.kind];
  return Array.isArray(branches) ? keyword.nodes.flatMap((location, index) => at(location, branches[index])) : [];
}

function describeAbsent(name: string, nothing: Json): string {
  return `${name} is absent when it is ${JSON.stringify(nothing)}`;
}

function onlyValue(value: Json): AddedSchema {
  return value === null ? { type: "null" } : { enum: [value] };
}

/** The dependents of a member need not be present if it is empty. */
function withoutDependents(
  node: Node,
  raw: JsonObject,
  {
    keyword,
    name,
    required,
    nothing,
  }: { keyword: KeywordOf<"dependentRequired">; name: string; required: string[]; nothing: Json },
): ChangedSchema {
  const entries = keyword.entries.filter(([each]) => each !== name);
  const { edits, nodes } = strengthen(withKeyword(node, keyword, { ...keyword, entries }), raw, {
    not: { required: [name], properties: { [name]: { not: onlyValue(nothing) } }, not: { required } },
  });
  return { edits: [{ at: pointer.append(keyword.site, name) }, ...edits], nodes };
}

/** The schema with the demands of a dependent schema on members added. Undefined if the dependent schema has no other demands. */
function assertMembers(
  model: Model,
  node: Node,
  { raw, to, written: { properties } }: { raw: JsonObject; to: Location; written: JsonObject },
): ChangedSchema | undefined {
  const { keywords, ...dependent } = nodeAt(model, to);
  const own = keywords.filter(({ kind }) => kind === "properties");
  if (own.length === 0 || own.length === keywords.length || properties === undefined) return undefined;
  const location = `${to}/properties-alone`;
  const { edits, nodes } = addAssertion(model, node, { raw, there: location, written: { properties } }) ?? {};
  return edits && nodes && { edits, nodes: [...nodes, { ...dependent, location, keywords: own }] };
}

/** The empty values that the schema itself allows for a member, if it restricts the member. */
function allowedValues({ keywords }: Node, model: Model, name: string): readonly Json[] {
  const own = keywords.find((keyword) => keyword.kind === "properties");
  const entry = own?.kind === "properties" ? own.entries.find(([each]) => each === name) : undefined;
  return entry === undefined ? emptyValues : emptyValues.filter((value) => holdsAt(model, entry[1], value));
}

/** The name under which a keyword is written. In older drafts one keyword is written for two. */
function lastSegment(site: string): string {
  return site.slice(site.lastIndexOf("/") + 1);
}
