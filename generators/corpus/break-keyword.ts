import type { Subject } from "../drafts/draft.ts";
import { breakAll, breakWithSolver } from "../drafts/inject.ts";
import { type NoParent, parentFor } from "../drafts/parent.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import { sitesOf } from "../evaluate/sites.ts";
import { families } from "../faults/index.ts";
import type { Keyword } from "../model/model.ts";
import type { Faults } from "./isolation.ts";

/** Injects every fault of one keyword at a place. Returns whether a family of faults could break it; the solver is only the last resort. */
export function breakKeyword(
  subject: Subject,
  { valid, invalid, broken, reasons }: Faults,
  { place, keyword, first }: { place: EvaluationPlace; keyword: Keyword; first: boolean },
): boolean {
  const sites = sitesOf(keyword, subject.model);
  if (sites.length === 0 && !families.some((family) => family.keywords.includes(keyword.kind))) return false;
  const parent = parentFor(subject, valid, place, keyword);
  const brokenSites = "why" in parent ? [] : breakAll(subject, invalid, { place, keyword, parent, first });
  for (const site of brokenSites) broken.add(site);
  // If no valid instance reaches the place, the smallest valid instance is the parent.
  const base = "why" in parent ? valid.all[0] : parent.draft;
  for (const { location: site } of sites) {
    if (broken.has(site)) continue;
    const why =
      base !== undefined
        ? breakWithSolver(subject, invalid, { place, keyword, site, parent: base })
        : (parent as NoParent);
    if (why === undefined) broken.add(site);
    else reasons.set(site, why);
  }
  return brokenSites.length > 0;
}
