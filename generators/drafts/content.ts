import type { EvaluationPlace } from "../evaluate/places.ts";
import { handlerOf } from "../keywords/table.ts";
import { type Keyword, type Location, nodeAt } from "../model/model.ts";
import type { Subject } from "./draft.ts";

/**
 * What a keyword asserts, whatever the place: the same bound, list or pattern elsewhere is the same. A keyword that asserts something by
 * other schemas is like no other.
 */
export function contentOf(keyword: Keyword): string {
  return handlerOf(keyword).content?.(keyword) ?? keyword.site;
}

/** Whether a schema has a document of its own, whose set asks in full about it. */
export function isAway({ model, elsewhere }: Subject, at: Location): boolean {
  return elsewhere.has(nodeAt(model, at).resource);
}

/** The ways to a place and to every place on the way, as keys. */
export function waysTo({ steps }: EvaluationPlace): string[] {
  const keys = steps.map(({ site, key }) => `${site} ${key ?? ""}`);
  return ["", ...keys.map((_, index) => keys.slice(0, index + 1).join("\n"))];
}

/** What an instance shows that breaks one assertion alone, as a key. */
export function breaks(site: Location): string {
  return `breaks ${site}`;
}
