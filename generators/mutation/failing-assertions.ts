import type { Json } from "../../schemas/index.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { sites, sitesOf } from "../evaluate/sites.ts";
import { childrenOf } from "../keywords/table.ts";
import type { Location, Model } from "../model/model.ts";

/** Lists every assertion of a model, and every schema `false`. */
export function assertionsOf(model: Model): Set<Location> {
  const falseSchemas = [...model.nodes.values()].filter(({ always }) => always === false);
  return new Set([...sites(model), ...falseSchemas].map(({ location }) => location));
}

/** Finds the locations of the keywords, assertions and schemas that do not hold for an instance, innermost first. */
export function findViolations(model: Model, data: Json): Location[] {
  const locations = new Set<Location>();
  isValid(model, data, {
    observe: (keyword, _at, _value, holds) => {
      if (holds) return;
      const ownSites = sitesOf(keyword, model).map(({ location }) => location);
      const falseSchemas = childrenOf(keyword).filter((child) => model.nodes.get(child)?.always === false);
      for (const site of ownSites.length > 0 ? ownSites : [...falseSchemas, keyword.site]) locations.add(site);
    },
  });
  return [...locations];
}

/** Whether two instances fail for the same reasons. */
export function breakSameAssertions(model: Model, first: Json, second: Json): boolean {
  return findViolations(model, first).join() === findViolations(model, second).join();
}

/** Finds the failing assertions that alone make the schema refuse the instance. */
export function findFailingSites(model: Model, data: Json): Location[] {
  return findViolations(model, data).filter((site) => isValid(model, data, { without: site }));
}

/** Whether validators or specifications disagree on an instance because of a format. */
export function isDoubtful(model: Model, data: Json): boolean {
  return isValid(model, data, { formatDoubt: true }) !== isValid(model, data, { withoutDoubt: true });
}
