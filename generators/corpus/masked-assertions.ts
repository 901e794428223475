import type { Json } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import { hasOwnDocument } from "../drafts/content.ts";
import type { Subject } from "../drafts/draft.ts";
import { isolateFault, isTooLong, proposalsFor, uniqueFeaturesOf } from "../drafts/inject.ts";
import { parentFor } from "../drafts/parent.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { type EvaluationPlace, places } from "../evaluate/places.ts";
import { sitesOf } from "../evaluate/sites.ts";
import { handlerOf } from "../keywords/table.ts";
import { type Keyword, type Location, type Model, nodeAt } from "../model/model.ts";
import type { Faults } from "./isolation.ts";

/**
 * Breaks assertions that branches of a choice, or other schemas, make redundant, such as an `enum` of kinds beside a branch for each kind. No other vector
 * finds an implementation that checks neither. Faults that another assertion of the same schema also refuses are left out, because it has its own vectors.
 */
export function breakHidden(subject: Subject, faults: Faults, hiddenSites: ReadonlySet<Location>): void {
  const { model } = subject;
  const visitedSites = new Set<Location>();
  for (const place of places(model)) {
    if (hasOwnDocument(subject, place.node)) continue;
    for (const keyword of nodeAt(model, place.node).keywords) {
      if (visitedSites.has(keyword.site) || !sitesOf(keyword, model).some(({ location }) => hiddenSites.has(location)))
        continue;
      visitedSites.add(keyword.site);
      breakHiddenKeyword(subject, faults, { place, keyword, hidden: hiddenSites });
    }
  }
}

function breakHiddenKeyword(
  subject: Subject,
  { valid, invalid }: Faults,
  { place, keyword, hidden }: { place: EvaluationPlace; keyword: Keyword; hidden: ReadonlySet<Location> },
): void {
  const { model } = subject;
  const parent = parentFor(subject, valid, place, keyword);
  if ("why" in parent) return;
  for (const proposal of proposalsFor(subject, { place, keyword }, parent, true)) {
    const { site, change } = proposal;
    const data = hidden.has(site) ? applyChanges(parent.draft.data, change) : undefined;
    if (data === undefined || isTooLong(data) || invalid.has(data) || isValid(model, data)) continue;
    const draft = isolateFault(model, place, parent.draft, proposal);
    if (isRefusedByAnother(model, place.node, keyword, data) || subject.decides?.(site, draft.route ?? []) === false)
      continue;
    const uniqueFeatures = uniqueFeaturesOf(subject, keyword, place, proposal);
    invalid.add({ ...draft, data, because: site, features: [`with others ${site}`], uniqueFeatures });
  }
}

/** Whether another assertion of the same schema refuses the instance too. */
function isRefusedByAnother(model: Model, schemaLocation: Location, ownKeyword: Keyword, data: Json): boolean {
  let isRefused = false;
  isValid(model, data, {
    observe: (keyword, _at, _value, holds, { location }) => {
      const isPlain = handlerOf(keyword).passages === undefined;
      if (!holds && isPlain && location === schemaLocation && keyword.site !== ownKeyword.site) isRefused = true;
    },
  });
  return isRefused;
}
