import { type Location, type Model, nodeAt } from "../model/model.ts";

/**
 * Opens the template definitions of a model: a definition accepts everything if a dynamic reference of the same resource names it, because other schemas
 * may replace it. The root is not such a definition, because an extension keeps the assertions of the schema that it extends.
 */
export function withOpenDefinitions(model: Model): Model {
  const openDefinitions = new Set<Location>();
  for (const { resource, keywords } of model.nodes.values())
    for (const keyword of keywords) {
      if (keyword.kind !== "ref" || !keyword.site.endsWith("/$dynamicRef")) continue;
      if (nodeAt(model, keyword.node).resource === resource && keyword.node !== `${resource}#`)
        openDefinitions.add(keyword.node);
    }
  if (openDefinitions.size === 0) return model;
  const nodes = [...model.nodes].map(
    ([location, node]) =>
      [location, openDefinitions.has(location) ? { location, resource: node.resource, keywords: [] } : node] as const,
  );
  return { ...model, nodes: new Map(nodes) };
}
