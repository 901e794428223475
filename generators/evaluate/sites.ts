import { handlerOf } from "../keywords/table.ts";
import { type EvaluationStep, type Keyword, type Location, type Model, nodeAt, type Site } from "../model/model.ts";
import { places } from "./places.ts";

/** Every assertion of the model that some place reaches, each once. */
export function sites(model: Model): Site[] {
  const found = new Map<Location, Site>();
  for (const { node } of places(model))
    for (const keyword of nodeAt(model, node).keywords)
      for (const site of sitesOf(keyword, model)) if (!found.has(site.location)) found.set(site.location, site);
  return [...found.values()];
}

/** The assertions of one keyword: usually one, one an entry of `required` and a count of `contains`, none of those that only lead to others. */
export function sitesOf(keyword: Keyword, model: Model): Site[] {
  const known = handlerOf(keyword).sites?.(keyword, (node) => nodeAt(model, node).always === false);
  return known ?? [{ location: keyword.site, keyword }];
}

/** The assertion of a keyword that is at a location: itself, or one of its entries. */
export function siteAt(keyword: Keyword, model: Model, location: Location): Site | undefined {
  const own = sitesOf(keyword, model).find((site) => site.location === location);
  return own ?? (keyword.site === location ? { location, keyword } : undefined);
}

const indexes = new WeakMap<Model["nodes"], ReadonlyMap<Location, EvaluationStep>>();

/** The keyword to which the assertion at a location belongs; undefined for a schema `false`, which has no keyword. */
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
