import { childrenOf, handlerOf } from "../keywords/table.ts";
import type { Location, Model, Node } from "../model/model.ts";

/** A model and a changed copy of it, joined in one model, with the location of the copy's root. Schemas that cannot lead to a changed one are shared, so that a search need not compare them. */
export function evaluateBeside(
  model: Model,
  changed: Model,
  touched: readonly Location[],
  prefix: string,
): { model: Model; twin: Location } {
  const affected = leadingTo(changed, touched);
  const placeOf = (location: Location): Location => (affected.has(location) ? prefix + location : location);
  const nodes = new Map(model.nodes);
  for (const [location, node] of changed.nodes) {
    if (affected.has(location)) nodes.set(placeOf(location), moveNode(node, placeOf));
    else if (!nodes.has(location)) nodes.set(location, node);
  }
  return { model: { ...model, nodes }, twin: placeOf(model.root) };
}

/** The schemas from which one of these can be reached, including these. */
export function leadingTo(model: Model, targets: readonly Location[]): Set<Location> {
  const reaching = new Set(targets);
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    for (const node of model.nodes.values()) {
      if (reaching.has(node.location)) continue;
      if (!node.keywords.some((keyword) => childrenOf(keyword).some((child) => reaching.has(child)))) continue;
      reaching.add(node.location);
      hasGrown = true;
    }
  }
  return reaching;
}

function moveNode(node: Node, placeOf: (location: Location) => Location): Node {
  return {
    ...node,
    location: placeOf(node.location),
    resource: placeOf(node.resource),
    keywords: node.keywords.map((keyword) => handlerOf(keyword).relocate?.(keyword, placeOf) ?? keyword),
  };
}
