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

/** The limit of work on all these assertions. */
const workLimit = 1_000_000;

/**
 * A format hides the assertions beside it if it refuses their faults too, such as `minLength: 1` beside `uri`. If formats are annotations, an
 * implementation may ignore them, and must still check the other assertions. So these are broken in the schema without its formats. A correct
 * implementation refuses such an instance whether it checks formats or not.
 */
export function breakBesideFormats(subject: Subject, faults: Faults): void {
  const { model, annotates } = subject;
  if (annotates !== true || !hasFormats(model)) return;
  const hidden = new Set(
    [...faults.reasons.keys()].filter((site) => !faults.broken.has(site) && keywordAt(model, site)?.kind !== "format"),
  );
  if (hidden.size === 0) return;
  const breakAll = (): void => breakWithoutFormats(subject, faults, hidden);
  if (model.effort === undefined) breakAll();
  else model.effort.within(workLimit, breakAll);
}

function breakWithoutFormats(subject: Subject, faults: Faults, hidden: ReadonlySet<Location>): void {
  const { model } = subject;
  const rest = withoutFormats(model);
  const separate: Faults = {
    valid: copyDrafts(faults.valid),
    invalid: new Drafts(),
    broken: new Set(),
    reasons: new Map(),
  };
  const seen = new Set<Location>();
  for (const place of places(rest)) {
    if (model.effort?.isSpent === true) break;
    const { keywords, location, resource } = nodeAt(rest, place.node);
    for (const keyword of keywords) {
      if (!sitesOf(keyword, rest).some(({ location }) => hidden.has(location))) continue;
      const first = !seen.has(keyword.site) && !subject.elsewhere.has(location, resource);
      seen.add(keyword.site);
      breakKeyword({ ...subject, model: rest }, separate, { place, keyword, first });
    }
  }
  const broken = new Set<Location>();
  for (const draft of separate.invalid.all) {
    const { site, parent, data } = draft;
    if (site === undefined || !hidden.has(site) || faults.invalid.has(data) || isValid(model, data)) continue;
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

/** The valid instance with the shortest change to the given one. */
function nearestTo(data: Json, valid: readonly Draft[]): Pick<Draft, "parent" | "change"> | undefined {
  const ways = valid
    .slice(0, maxParents)
    .map((parent) => ({ parent, change: changeBetween(parent.data, data) }))
    .sort((one, other) => one.change.length - other.change.length);
  return ways[0];
}

/** A copy to which others can be added. */
function copyDrafts({ all }: Drafts): Drafts {
  const copy = new Drafts();
  for (const draft of all) copy.add(draft);
  return copy;
}
