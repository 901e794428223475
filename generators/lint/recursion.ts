import { childrenOf } from "../keywords/table.ts";
import { type Keyword, type Location, type Model, type Node, nodeAt } from "../model/model.ts";

/** If there are more references, the search for cycles would be too slow. */
const maxSteps = 300;

/** Finds references that lead back to a schema that contains them, so that its instances contain instances of it. */
export function findBackwardReferences(model: Model): Location[] {
  const children = new Map(
    [...model.nodes].map(([location, { keywords }]) => [location, keywords.flatMap(childrenOf)] as const),
  );
  const refs = [...model.nodes.values()].flatMap(({ location, keywords }) =>
    keywords.flatMap((keyword) => (keyword.kind === "ref" ? [{ from: location, keyword }] : [])),
  );
  if (refs.length > maxSteps) return [];
  return refs.flatMap(({ from, keyword }) => (reachFrom(children, keyword.node).has(from) ? [keyword.site] : []));
}

function reachFrom(children: ReadonlyMap<Location, readonly Location[]>, start: Location): Set<Location> {
  const reached = new Set([start]);
  for (const location of reached) for (const child of children.get(location) ?? []) reached.add(child);
  return reached;
}

/** Copies a model so that backward references are followed only once. If a schema is still unsatisfiable, they are not the reason. */
export function withoutRecursion(model: Model, backReferences: readonly Location[]): Model {
  const isBackReference = (keyword: Keyword): boolean => backReferences.includes(keyword.site);
  const children = new Map(
    [...model.nodes].map(([location, { keywords }]) => [
      location,
      keywords.flatMap((keyword) => (isBackReference(keyword) ? [] : childrenOf(keyword))),
    ]),
  );
  const targets = [...model.nodes.values()].flatMap(({ keywords }) =>
    keywords.flatMap((keyword) => (isBackReference(keyword) ? childrenOf(keyword) : [])),
  );
  const repeatedNodes = new Set(targets.flatMap((target) => [...reachFrom(children, target)]));
  const copyOf = (location: Location): Location => `${location}/touchstone-again`;
  const nodes = new Map<Location, Node>();
  for (const [location, node] of model.nodes)
    nodes.set(location, {
      ...node,
      keywords: node.keywords.map((keyword) => (isBackReference(keyword) ? moveReferences(keyword, copyOf) : keyword)),
    });
  for (const location of repeatedNodes) {
    const node = nodeAt(model, location);
    const keywords = node.keywords.flatMap((keyword) =>
      isBackReference(keyword) ? [] : [moveReferences(keyword, copyOf)],
    );
    nodes.set(copyOf(location), { ...node, location: copyOf(location), keywords });
  }
  return { ...model, nodes };
}

/** Replaces the locations of a keyword's children. */
function moveReferences(keyword: Keyword, relocate: (location: Location) => Location): Keyword {
  const children = new Set(childrenOf(keyword));
  const renameReferences = (value: unknown): unknown => {
    if (typeof value === "string") return children.has(value) ? relocate(value) : value;
    if (Array.isArray(value)) return value.map(renameReferences);
    if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, renameReferences(item)]));
    if (value?.constructor !== Object) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, key === "site" ? member : renameReferences(member)]),
    );
  };
  return renameReferences(keyword) as Keyword;
}
