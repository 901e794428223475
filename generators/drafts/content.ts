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

/** Whether the set of another document asks in full about this content, which is asserted at a location: one that has the schema, or an earlier one. */
export function isAskedElsewhere({ model, elsewhere, before }: Subject, content: string, at: Location): boolean {
  return elsewhere.has(nodeAt(model, at).resource) || before?.has(content) === true;
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
