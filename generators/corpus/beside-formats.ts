import type { Json } from "../../schemas/index.ts";
import { changeBetween } from "../changes/difference.ts";
import { type Draft, Drafts, type Subject } from "../drafts/draft.ts";
import { hasFormats } from "../evaluate/doubts.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { places } from "../evaluate/places.ts";
import { withoutFormats } from "../evaluate/reduced-model.ts";
import { keywordAt, sitesOf } from "../evaluate/sites.ts";
import { type Location, nodeAt } from "../model/model.ts";
import { breakKeyword } from "./break-keyword.ts";
import type { Faults } from "./isolation.ts";
import { shareDraft } from "./joint-faults.ts";

/** The work limit for all assertions that formats hide. */
const workLimit = 1_000_000;

/**
 * Breaks assertions that a format hides. A format hides an assertion beside it if it refuses the same faults, such as `uri` beside `minLength: 1`. If formats
 * are annotations, an implementation may ignore them, but must check the other assertions. So these are broken in the schema without its formats. A correct
 * implementation refuses such an instance whether it checks formats or not.
 */
export function breakBesideFormats(subject: Subject, faults: Faults): void {
  const { model, annotates } = subject;
  if (annotates !== true || !hasFormats(model)) return;
  const hiddenSites = new Set(
    [...faults.reasons.keys()].filter((site) => !faults.broken.has(site) && keywordAt(model, site)?.kind !== "format"),
  );
  if (hiddenSites.size === 0) return;
  const breakAll = (): void => breakWithoutFormats(subject, faults, hiddenSites);
  if (model.effort === undefined) breakAll();
  else model.effort.within(workLimit, breakAll);
}

function breakWithoutFormats(subject: Subject, faults: Faults, hiddenSites: ReadonlySet<Location>): void {
  const { model } = subject;
  const formatlessModel = withoutFormats(model);
  const formatlessFaults: Faults = {
    valid: copyDrafts(faults.valid),
    invalid: new Drafts(),
    broken: new Set(),
    reasons: new Map(),
  };
  const visitedSites = new Set<Location>();
  for (const place of places(formatlessModel)) {
    if (model.effort?.isSpent === true) break;
    const { keywords, location, resource } = nodeAt(formatlessModel, place.node);
    for (const keyword of keywords) {
      if (!sitesOf(keyword, formatlessModel).some(({ location }) => hiddenSites.has(location))) continue;
      const first = !visitedSites.has(keyword.site) && !subject.elsewhere.has(location, resource);
      visitedSites.add(keyword.site);
      breakKeyword({ ...subject, model: formatlessModel }, formatlessFaults, { place, keyword, first });
    }
  }
  const broken = new Set<Location>();
  for (const draft of formatlessFaults.invalid.all) {
    const { site, parent, data } = draft;
    if (site === undefined || !hiddenSites.has(site) || faults.invalid.has(data) || isValid(model, data)) continue;
    if (parent !== undefined && isValid(model, parent.data)) {
      faults.valid.add(parent);
      faults.invalid.add(shareDraft(draft, site));
    } else {
      const nearest = nearestTo(data, faults.valid.all);
      if (nearest === undefined) continue;
      faults.invalid.add({ ...shareDraft(draft, site), ...nearest });
    }
    broken.add(site);
  }
  for (const site of broken) {
    const reason = faults.reasons.get(site);
    if (reason !== undefined) faults.reasons.set(site, { ...reason, why: `${reason.why}${formatNote}` });
  }
}

const formatNote = "; vectors break it beside a format, for readers that ignore formats";

/** The maximum number of valid instances tried as parents. */
const maxParents = 100;

/** Finds the valid instance from which the fewest changes lead to the given one. */
function nearestTo(data: Json, valid: readonly Draft[]): Pick<Draft, "parent" | "change"> | undefined {
  const candidates = valid
    .slice(0, maxParents)
    .map((parent) => ({ parent, change: changeBetween(parent.data, data) }))
    .sort((first, second) => first.change.length - second.change.length);
  return candidates[0];
}

/** Copies the drafts, so that more can be added without changing the original. */
function copyDrafts({ all }: Drafts): Drafts {
  const copy = new Drafts();
  for (const draft of all) copy.add(draft);
  return copy;
}
