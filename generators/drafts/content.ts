import type { EvaluationPlace } from "../evaluate/places.ts";
import { handlerOf } from "../keywords/table.ts";
import { type Keyword, type Location, nodeAt } from "../model/model.ts";
import type { Subject } from "./draft.ts";

/**
 * Returns the content of a keyword, regardless of its location. Equal bounds, lists and patterns have the same content; a keyword with subschemas is
 * unique.
 */
export function contentOf(keyword: Keyword): string {
  return handlerOf(keyword).content?.(keyword) ?? keyword.site;
}

/** Whether a schema has a document of its own, with a vector set that tests it in full. */
export function hasOwnDocument({ model, elsewhere }: Subject, at: Location): boolean {
  const { location, resource } = nodeAt(model, at);
  return elsewhere.has(location, resource);
}

/** Lists the paths to a place and to every place on the way, as keys. */
export function pathKeys({ steps }: EvaluationPlace): string[] {
  const keys = steps.map(({ site, key }) => `${site} ${key ?? ""}`);
  return ["", ...keys.map((_, index) => keys.slice(0, index + 1).join("\n"))];
}

/** Returns the feature of an instance that breaks only this assertion, as a key. */
export function breaksFeature(site: Location): string {
  return `breaks ${site}`;
}
