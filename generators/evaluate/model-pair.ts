import { childrenOf, handlerOf } from "../keywords/table.ts";
import type { Location, Model, Node } from "../model/model.ts";

/** Joins a model and a changed copy of it in one model, and returns it with the location of the copy's root. Schemas that cannot lead to a changed one are shared, so that a search need not compare them. */
export function joinWithCopy(
  model: Model,
  changedModel: Model,
  changedLocations: readonly Location[],
  prefix: string,
): { model: Model; twin: Location } {
  const affectedLocations = locationsLeadingTo(changedModel, changedLocations);
  const placeOf = (location: Location): Location => (affectedLocations.has(location) ? prefix + location : location);
  const nodes = new Map(model.nodes);
  for (const [location, node] of changedModel.nodes) {
    if (affectedLocations.has(location)) nodes.set(placeOf(location), moveNode(node, placeOf));
    else if (!nodes.has(location)) nodes.set(location, node);
  }
  return { model: { ...model, nodes }, twin: placeOf(model.root) };
}

/** Finds the schemas from which a target can be reached, including the targets. */
export function locationsLeadingTo(model: Model, targets: readonly Location[]): Set<Location> {
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
