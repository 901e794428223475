import type { Resolve } from "../keywords/handler.ts";
import { handlerOf, subschemasOf } from "../keywords/table.ts";
import {
  type EvaluationStep,
  type Keyword,
  type Location,
  type Model,
  nodeAt,
  resolveDynamic,
  type Site,
} from "../model/model.ts";
import { places } from "./places.ts";

/** Lists every assertion of the model that some place reaches, outermost first. */
export function sites(model: Model): readonly Site[] {
  const modelSites =
    cachedSites?.nodes === model.nodes && cachedSites.root === model.root ? cachedSites.found : sitesIn(model);
  cachedSites = { nodes: model.nodes, root: model.root, found: modelSites };
  return modelSites;
}

// Cached: sites are requested many times in a row for one model.
let cachedSites: { nodes: Model["nodes"]; root: Location; found: readonly Site[] } | undefined;

function sitesIn(model: Model): Site[] {
  const sitesByLocation = new Map<Location, Site>();
  for (const node of reachedNodes(model))
    for (const keyword of nodeAt(model, node).keywords)
      for (const site of sitesOf(keyword, model))
        if (!sitesByLocation.has(site.location)) sitesByLocation.set(site.location, site);
  return [...sitesByLocation.values()];
}

/** Lists the schemas in the order of their first places. The paths to them matter only if a reference may lead elsewhere on another path. */
function reachedNodes(model: Model): Iterable<Location> {
  const isDynamic = Object.values(model.anchors).some((anchors) => Object.keys(anchors).length > 0);
  if (isDynamic) return places(model).map(({ node }) => node);
  const nodes = new Set([model.root]);
  const resolve: Resolve = (reference) => resolveDynamic(model, reference, {});
  for (const node of nodes)
    for (const keyword of nodeAt(model, node).keywords)
      for (const { node: target } of subschemasOf(keyword, resolve)) nodes.add(target);
  return nodes;
}

/** Lists the assertions of one keyword: usually one; one for each entry of `required` and each count of `contains`; none for keywords that only apply subschemas. */
export function sitesOf(keyword: Keyword, model: Model): Site[] {
  const ownSites = handlerOf(keyword).sites?.(keyword, (node) => nodeAt(model, node).always === false);
  return ownSites ?? [{ location: keyword.site, keyword }];
}

/** Returns the assertion at a location: the keyword itself or one of its entries. */
export function siteAt(keyword: Keyword, model: Model, location: Location): Site | undefined {
  const entrySite = sitesOf(keyword, model).find((site) => site.location === location);
  return entrySite ?? (keyword.site === location ? { location, keyword } : undefined);
}

const indexes = new WeakMap<Model["nodes"], ReadonlyMap<Location, EvaluationStep>>();

/** Returns the keyword to which the assertion at a location belongs. Undefined for a schema `false`, which has no keyword. */
export function keywordAt(model: Model, location: Location): EvaluationStep | undefined {
  const index = indexes.get(model.nodes) ?? indexOf(model);
  indexes.set(model.nodes, index);
  return index.get(location);
}

function indexOf(model: Model): Map<Location, EvaluationStep> {
  const index = new Map<Location, EvaluationStep>();
  for (const node of model.nodes.values())
    for (const keyword of node.keywords) {
      const { site, kind } = keyword;
      const step: EvaluationStep = { node: node.location, site, kind };
      for (const location of [site, ...sitesOf(keyword, model).map((each) => each.location)]) index.set(location, step);
    }
  return index;
}
