import { isObject, type Json, type JsonObject, pointer } from "../../../schemas/index.ts";
import { childrenOf, handlerOf } from "../../keywords/table.ts";
import type { KeywordOf, Location, Model, Node } from "../../model/model.ts";
import { withKeyword } from "../keyword-change.ts";
import { type Operator, rawAt, type UnnamedMutant } from "../mutant.ts";

/**
 * Adds to `properties` the names that `allOf` branches or the schema of the values declare, as an implementation with one shared list of names
 * would.
 */
export const declaredElsewhereOperator: Operator = {
  name: "declared-elsewhere",
  *mutate(node, model, raw, { schemas }) {
    yield* admitNames(node, raw, branchesOf(model, node), "names that branches declare are not additional");
    const additional = node.keywords.find((keyword) => keyword.kind === "additionalProperties");
    const valueSchema = additional?.kind === "additionalProperties" ? model.nodes.get(additional.node) : undefined;
    if (valueSchema !== undefined)
      yield* admitNames(
        node,
        raw,
        [valueSchema, ...branchesOf(model, valueSchema)],
        "names that its values declare are not additional",
      );
    const allOf = node.keywords.find((keyword) => keyword.kind === "allOf");
    for (const location of allOf?.kind === "allOf" ? allOf.nodes : []) {
      const [branch, branchSchema] = [model.nodes.get(location), rawAt(schemas, location)];
      if (branch === undefined || !isObject(branchSchema)) continue;
      const otherNodes = branchesOf(model, node, location);
      yield* admitNames(
        branch,
        branchSchema,
        [node, ...otherNodes],
        "names that are declared outside are not additional",
      );
    }
  },
};

/** Adds the names that other schemas declare to the names that a schema declares itself. */
function* admitNames(node: Node, raw: JsonObject, otherNodes: readonly Node[], says: string): Generator<UnnamedMutant> {
  const keyword = node.keywords.find((candidate) => candidate.kind === "additionalProperties");
  if (keyword?.kind !== "additionalProperties") return;
  const properties = propertiesOf(node);
  const declaredNames = new Set(keyword.names);
  const names = [
    ...new Set(otherNodes.flatMap((other) => propertiesOf(other)?.entries.map(([name]) => name) ?? [])),
  ].filter((name) => !declaredNames.has(name) && !keyword.patterns.some(([, expression]) => expression.test(name)));
  if (names.length === 0 || (properties === undefined) !== (raw.properties === undefined)) return;
  const site = `${node.location}/properties`;
  const entries = names.map((name): [string, Location] => [name, pointer.append(site, name)]);
  const oldProperties = properties ?? { kind: "properties" as const, site, entries: [] };
  const openedNode = withKeyword(node, keyword, { ...keyword, names: [...keyword.names, ...names] });
  const newProperties = { ...oldProperties, entries: [...oldProperties.entries, ...entries] };
  const anySchemas = Object.fromEntries(names.map((name): [string, Json] => [name, true]));
  yield {
    effect: "weaker",
    isFineGrained: true,
    isTriedEarly: true,
    needsOneKill: true,
    site: keyword.site,
    keyword: "additionalProperties",
    says,
    edits: [{ at: site, value: { ...(raw.properties as JsonObject | undefined), ...anySchemas } }],
    nodes: [
      properties === undefined
        ? { ...openedNode, keywords: [newProperties, ...openedNode.keywords] }
        : withKeyword(openedNode, properties, newProperties),
      ...entries.map(([, location]) => ({ location, resource: node.resource, always: true, keywords: [] })),
    ],
  };
}

function propertiesOf({ keywords }: Node): KeywordOf<"properties"> | undefined {
  const properties = keywords.find((keyword) => keyword.kind === "properties");
  return properties?.kind === "properties" ? properties : undefined;
}

/** Lists the schemas that a schema applies to the same value, except negated ones and `except`. */
function branchesOf({ nodes }: Model, node: Node, except?: Location): Node[] {
  const visited = new Set([node.location]);
  for (const location of visited)
    for (const keyword of nodes.get(location)?.keywords ?? [])
      if (keyword.kind !== "not" && handlerOf(keyword).inPlace === true)
        for (const child of childrenOf(keyword)) if (child !== except) visited.add(child);
  return [...visited].slice(1).flatMap((location) => nodes.get(location) ?? []);
}
