import { isObject, type Json, type JsonObject, pointer } from "../../../schemas/index.ts";
import { childrenOf, handlerOf } from "../../keywords/table.ts";
import type { KeywordOf, Location, Model, Node } from "../../model/model.ts";
import { withKeyword } from "../keyword-change.ts";
import { type FoundMutant, type Operator, rawAt } from "../mutant.ts";

/**
 * An object that also accepts an undeclared member that another schema declares: a schema of the same object, or the schema of its own values. The code
 * has a single list of names.
 */
export const declaredElsewhereOperator: Operator = {
  name: "declared-elsewhere",
  *mutate(node, model, raw, { schemas }) {
    yield* admitNames(node, raw, branchesOf(model, node), "names that branches declare are not additional");
    const rest = node.keywords.find((keyword) => keyword.kind === "additionalProperties");
    const value = rest?.kind === "additionalProperties" ? model.nodes.get(rest.node) : undefined;
    if (value !== undefined)
      yield* admitNames(
        node,
        raw,
        [value, ...branchesOf(model, value)],
        "names that its values declare are not additional",
      );
    const all = node.keywords.find((keyword) => keyword.kind === "allOf");
    for (const location of all?.kind === "allOf" ? all.nodes : []) {
      const [branch, written] = [model.nodes.get(location), rawAt(schemas, location)];
      if (branch === undefined || !isObject(written)) continue;
      const others = branchesOf(model, node, location);
      yield* admitNames(branch, written, [node, ...others], "names that are declared outside are not additional");
    }
  },
};

/** The schema with the names that others declare among its own. */
function* admitNames(node: Node, raw: JsonObject, others: readonly Node[], says: string): Generator<FoundMutant> {
  const keyword = node.keywords.find((each) => each.kind === "additionalProperties");
  if (keyword?.kind !== "additionalProperties") return;
  const own = propertiesOf(node);
  const known = new Set(keyword.names);
  const names = [
    ...new Set(others.flatMap((other) => propertiesOf(other)?.entries.map(([name]) => name) ?? [])),
  ].filter((name) => !known.has(name) && !keyword.patterns.some(([, expression]) => expression.test(name)));
  if (names.length === 0 || (own === undefined) !== (raw.properties === undefined)) return;
  const site = `${node.location}/properties`;
  const entries = names.map((name): [string, Location] => [name, pointer.append(site, name)]);
  const before = own ?? { kind: "properties" as const, site, entries: [] };
  const opened = withKeyword(node, keyword, { ...keyword, names: [...keyword.names, ...names] });
  const more = { ...before, entries: [...before.entries, ...entries] };
  const anySchemas = Object.fromEntries(names.map((name): [string, Json] => [name, true]));
  yield {
    effect: "weaker",
    fine: true,
    soon: true,
    single: true,
    site: keyword.site,
    keyword: "additionalProperties",
    says,
    edits: [{ at: site, value: { ...(raw.properties as JsonObject | undefined), ...anySchemas } }],
    nodes: [
      own === undefined ? { ...opened, keywords: [more, ...opened.keywords] } : withKeyword(opened, own, more),
      ...entries.map(([, location]) => ({ location, resource: node.resource, always: true, keywords: [] })),
    ],
  };
}

function propertiesOf({ keywords }: Node): KeywordOf<"properties"> | undefined {
  const found = keywords.find((keyword) => keyword.kind === "properties");
  return found?.kind === "properties" ? found : undefined;
}

/** The schemas that apply to the same value below a schema, except negated ones and a given one. */
function branchesOf({ nodes }: Model, node: Node, except?: Location): Node[] {
  const seen = new Set([node.location]);
  for (const location of seen)
    for (const keyword of nodes.get(location)?.keywords ?? [])
      if (keyword.kind !== "not" && handlerOf(keyword).inPlace === true)
        for (const child of childrenOf(keyword)) if (child !== except) seen.add(child);
  return [...seen].slice(1).flatMap((location) => nodes.get(location) ?? []);
}
