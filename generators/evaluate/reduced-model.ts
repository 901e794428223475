import type { Keyword, Location, Model, Node, Site } from "../model/model.ts";
import { siteAt } from "./sites.ts";

/** Returns the model without one assertion (a keyword, one entry of `required`, or one count of `contains`), and the schema that had it. Undefined for other sites. */
export function withoutSite(model: Model, site: Location): { model: Model; changed: Location } | undefined {
  for (const node of model.nodes.values()) {
    const changed = nodeWithoutSite(model, node, site);
    if (changed !== undefined)
      return { model: { ...model, nodes: new Map(model.nodes).set(node.location, changed) }, changed: node.location };
  }
  return undefined;
}

/** Makes the model for readers that treat every format as an annotation. */
export function withoutFormats(model: Model): Model {
  const nodes = [...model.nodes].map(([location, node]): [Location, Node] => {
    const keywords = node.keywords.filter(({ kind }) => kind !== "format");
    return [location, keywords.length === node.keywords.length ? node : { ...node, keywords }];
  });
  return { ...model, nodes: new Map(nodes) };
}

function nodeWithoutSite(model: Model, node: Node, location: Location): Node | undefined {
  if (node.always === false && node.location === location) return { ...node, always: true };
  for (const keyword of node.keywords) {
    const site = siteAt(keyword, model, location);
    if (site !== undefined)
      return { ...node, keywords: node.keywords.flatMap((other) => keywordWithoutSite(other, site)) };
  }
  return undefined;
}

/** Returns what remains of a keyword after an assertion is removed. */
function keywordWithoutSite(keyword: Keyword, { keyword: changed, entry }: Site): Keyword[] {
  // In the model, `dependencies` becomes two keywords with one site.
  if (keyword !== changed) return entry === undefined && keyword.site === changed.site ? [] : [keyword];
  if (keyword.kind === "contains" && entry !== undefined)
    return [{ ...keyword, ...(entry === 0 ? { min: 0 } : { max: Infinity }) }];
  if (keyword.kind !== "required" || entry === undefined) return [];
  return [{ ...keyword, names: keyword.names.filter((_, index) => index !== entry) }];
}
