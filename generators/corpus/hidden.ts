import { patched } from "../changes/patch.ts";
import { isAway } from "../drafts/content.ts";
import type { Subject } from "../drafts/draft.ts";
import { effort, isTooLong, tellsOf } from "../drafts/inject.ts";
import { contextFor } from "../drafts/local.ts";
import { parentFor } from "../drafts/parent.ts";
import { routeTo } from "../drafts/route.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { places } from "../evaluate/places.ts";
import { sitesOf } from "../evaluate/sites.ts";
import { families } from "../faults/index.ts";
import { handlerOf } from "../keywords/table.ts";
import { type Keyword, type Location, type Model, nodeAt } from "../model/model.ts";
import type { Faults } from "./alone.ts";

/**
 * Breaks assertions that branches of a choice, or schemas elsewhere, make superfluous, such as a list of kinds beside a branch for each kind: who checks
 * neither, since no branch is for a kind that he does not know, would be found by nothing. What another assertion of the same schema refuses as well is
 * tested there.
 */
export function breakHidden(subject: Subject, { valid, invalid }: Faults, hidden: ReadonlySet<Location>): void {
  const { model } = subject;
  const seen = new Set<Location>();
  for (const place of places(model)) {
    if (isAway(subject, place.node)) continue;
    for (const keyword of nodeAt(model, place.node).keywords) {
      if (seen.has(keyword.site) || !sitesOf(keyword, model).some(({ location }) => hidden.has(location))) continue;
      seen.add(keyword.site);
      const parent = parentFor(subject, valid, place, keyword);
      if (typeof parent === "string") continue;
      const { draft, at } = parent;
      const context = contextFor(subject, place, keyword, { parent: draft.data, at, first: true }, effort);
      for (const family of families) {
        if (!family.keywords.includes(keyword.kind)) continue;
        for (const proposal of family.propose(context)) {
          const { site, fault, detail, change, says, tags = [] } = proposal;
          const data = hidden.has(site) ? patched(draft.data, change) : undefined;
          if (data === undefined || isTooLong(data) || invalid.has(data) || isValid(model, data)) continue;
          const route = routeTo(model, place, site);
          if (isRefusedBeside(model, place.node, keyword, data) || subject.decides?.(site, route) === false) continue;
          invalid.add({
            ...{
              data,
              name: [proposal.at, fault, ...(detail === undefined ? [] : [detail])],
              at: proposal.at,
              says,
              tags,
            },
            ...{ because: site, place, fault, route, parent: draft, change, shows: [`with others ${site}`] },
            tells: tellsOf(subject, keyword, place, proposal),
          });
        }
      }
    }
  }
}

/** Whether an assertion of the same schema refuses it too, by itself. */
function isRefusedBeside(model: Model, home: Location, own: Keyword, data: Parameters<typeof isValid>[1]): boolean {
  let found = false;
  isValid(model, data, {
    observe: (keyword, _at, _value, holds, { location }) => {
      const isPlain = handlerOf(keyword).passages === undefined;
      if (!holds && isPlain && location === home && keyword.site !== own.site) found = true;
    },
  });
  return found;
}
