import { childrenOf, type Keyword, type Location, type Model, type Node } from "../model/model.ts";

/**
 * A model and a changed copy of it in one: the root's second location comes with it. What cannot lead to a changed schema is shared, so
 * that a search sees at once where the two cannot differ.
 */
export function beside(
  model: Model,
  changed: Model,
  touched: readonly Location[],
  prefix: string,
): { model: Model; twin: Location } {
  const affected = leadingTo(changed, touched);
  const to = (location: Location): Location => (affected.has(location) ? prefix + location : location);
  const nodes = new Map(model.nodes);
  for (const [location, node] of changed.nodes) {
    if (affected.has(location)) nodes.set(to(location), rename(node, to));
    else if (!nodes.has(location)) nodes.set(location, node);
  }
  return { model: { ...model, nodes }, twin: to(model.root) };
}

/** The schemas from which one of these can be reached, themselves among them. */
function leadingTo(model: Model, targets: readonly Location[]): Set<Location> {
  const found = new Set(targets);
  for (let grown = true; grown; ) {
    grown = false;
    for (const node of model.nodes.values()) {
      if (found.has(node.location)) continue;
      if (!node.keywords.some((keyword) => childrenOf(keyword).some((child) => found.has(child)))) continue;
      found.add(node.location);
      grown = true;
    }
  }
  return found;
}

function rename(node: Node, to: (location: Location) => Location): Node {
  return {
    ...node,
    location: to(node.location),
    resource: to(node.resource),
    keywords: node.keywords.map((keyword) => renameKeyword(keyword, to)),
  };
}

function renameKeyword(keyword: Keyword, to: (location: Location) => Location): Keyword {
  switch (keyword.kind) {
    case "properties":
    case "dependentSchemas":
      return { ...keyword, entries: keyword.entries.map(([name, node]) => [name, to(node)]) };
    case "patternProperties":
      return { ...keyword, entries: keyword.entries.map(([source, regexp, node]) => [source, regexp, to(node)]) };
    case "additionalProperties":
    case "propertyNames":
    case "unevaluatedProperties":
    case "unevaluatedItems":
    case "items":
    case "contains":
    case "not":
    case "ref":
      return { ...keyword, node: to(keyword.node) };
    case "dynamicRef":
      return { ...keyword, node: to(keyword.node) };
    case "prefixItems":
    case "allOf":
    case "anyOf":
    case "oneOf":
      return { ...keyword, nodes: keyword.nodes.map(to) };
    case "if":
      return {
        ...keyword,
        condition: to(keyword.condition),
        ...(keyword.then === undefined ? {} : { then: to(keyword.then) }),
        ...(keyword.else === undefined ? {} : { else: to(keyword.else) }),
      };
    default:
      return keyword;
  }
}
