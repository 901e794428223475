import type { Json } from "../../schemas/index.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { sites, sitesOf } from "../evaluate/sites.ts";
import { childrenOf } from "../keywords/table.ts";
import type { Location, Model } from "../model/model.ts";

/** Every assertion of a model, and every schema that refuses everything. */
export function assertionsOf(model: Model): Set<Location> {
  const never = [...model.nodes.values()].filter(({ always }) => always === false);
  return new Set([...sites(model), ...never].map(({ location }) => location));
}

/** The keywords, assertions and schemas that do not hold for an instance, the innermost first. */
export function findBroken(model: Model, data: Json): Location[] {
  const found = new Set<Location>();
  isValid(model, data, {
    observe: (keyword, _at, _value, holds) => {
      if (holds) return;
      const own = sitesOf(keyword, model).map(({ location }) => location);
      const never = childrenOf(keyword).filter((to) => model.nodes.get(to)?.always === false);
      for (const site of own.length > 0 ? own : [...never, keyword.site]) found.add(site);
    },
  });
  return [...found];
}

/** Whether two instances fail for the same reasons. */
export function breaksTheSame(model: Model, one: Json, other: Json): boolean {
  return findBroken(model, one).join() === findBroken(model, other).join();
}

/** The failing assertions that alone make the schema refuse the instance. */
export function findFailingSites(model: Model, data: Json): Location[] {
  return findBroken(model, data).filter((site) => isValid(model, data, { without: site }));
}

/** Whether validators or readers differ on an instance because of a format. */
export function isDoubtful(model: Model, data: Json): boolean {
  return isValid(model, data, { formatDoubt: true }) !== isValid(model, data, { withoutDoubt: true });
}
