import type { EvaluationPlace } from "../evaluate/places.ts";
import { handlerOf } from "../keywords/table.ts";
import type { Keyword } from "../model/model.ts";

/**
 * What a keyword asserts, whatever the place: the same bound, list or pattern elsewhere is the same. A keyword that asserts something by
 * other schemas is like no other.
 */
export function contentOf(keyword: Keyword): string {
  return handlerOf(keyword).content?.(keyword) ?? keyword.site;
}

/** The ways to a place and to every place on the way, as keys. */
export function waysTo({ steps }: EvaluationPlace): string[] {
  const keys = steps.map(({ site, key }) => `${site} ${key ?? ""}`);
  return ["", ...keys.map((_, index) => keys.slice(0, index + 1).join("\n"))];
}
