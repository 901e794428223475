import type { UnbrokenKind } from "../../schemas/index.ts";
import { breaksFeature } from "../drafts/content.ts";
import { type Draft, Drafts, type Subject } from "../drafts/draft.ts";
import { unbreakableReason } from "../drafts/inject.ts";
import { mayContinue } from "../drafts/work-progress.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { places } from "../evaluate/places.ts";
import { withoutSite } from "../evaluate/reduced-model.ts";
import { keywordAt, sitesOf } from "../evaluate/sites.ts";
import { describeCompanions } from "../lint/companions.ts";
import { type Keyword, type Location, type Model, nodeAt } from "../model/model.ts";
import { isEquivalentModel } from "../mutation/redundancy.ts";
import { breakKeyword } from "./break-keyword.ts";
import type { Faults } from "./isolation.ts";
import { breakHidden } from "./masked-assertions.ts";

/** The work limit for finding out why assertions always fail together. */
const reasonWork = 1_000_000;

/** The maximum number of assertions for which all other assertions are compared. */
const maxDeep = 30;

/**
 * Breaks assertions that hide each other, such as a `const` beside an `enum` of one value. None of them can be isolated, so no other vector finds an
 * implementation that checks none of them. As many as possible are removed, and the others are broken in every possible way. For each assertion that cannot
 * be isolated, this records which assertions always fail with it.
 */
export function breakTogether(subject: Subject, faults: Faults): void {
  const { model } = subject;
  const unbrokenOfKind = (requestedKind: UnbrokenKind): Location[] =>
    [...faults.reasons].flatMap(([site, { kind }]) =>
      kind === requestedKind && !faults.broken.has(site) ? [site] : [],
    );
  const [unbreakable, unproven] = [unbrokenOfKind("unbreakable"), unbrokenOfKind("undecided")];
  if (unbreakable.length + unproven.length === 0) return;
  const sitesOfKind = (...kinds: Keyword["kind"][]): Location[] =>
    unbreakable.filter((site) => kinds.includes(keywordAt(model, site)?.kind ?? "ref"));
  // Entries of `required` are not removed, because that would move later ones. Formats are removed first, because a fault that also breaks one should not count as its fault.
  const [entries, formats] = [sitesOfKind("required"), sitesOfKind("format")];
  const otherSites = unbreakable.filter((site) => !entries.includes(site) && !formats.includes(site));
  const { rest: thinnedModel, kept: keptSites } = thinModel(model, [...otherSites, ...formats]);
  breakInThinModel(subject, faults, thinnedModel, new Set([...entries, ...keptSites]));
  breakHidden(
    subject,
    faults,
    new Set([...entries, ...otherSites, ...unproven].filter((site) => !keptSites.includes(site))),
  );
  const explain = (): void => {
    const allPlaces = places(model);
    for (const [index, site] of unbreakable.entries()) {
      if (!mayContinue({ stage: "faults", done: index, total: unbreakable.length }, model, subject.watch)) return;
      const companions = describeCompanions(model, site, allPlaces, index < maxDeep ? unbreakable : undefined);
      if (companions !== undefined)
        faults.reasons.set(site, { ...unbreakableReason, why: `${unbreakableReason.why}: ${companions} (proven)` });
    }
  };
  if (model.effort === undefined) explain();
  else model.effort.within(reasonWork, explain);
}

/** Removes as many of the assertions as possible without changing the meaning of the schema, from the last to the first. Returns the model and the assertions that stay. */
function thinModel(model: Model, sites: readonly Location[]): { rest: Model; kept: readonly Location[] } {
  const changed = new Set<Location>();
  const thinnedModel = sites.reduceRight((relaxedModel, site) => {
    const without = withoutSite(relaxedModel, site);
    if (without !== undefined) changed.add(without.changed);
    return without?.model ?? relaxedModel;
  }, model);
  if (isEquivalentModel(model, thinnedModel, [...changed])) return { rest: thinnedModel, kept: [] };
  if (sites.length < 2) return { rest: model, kept: sites };
  const middle = sites.length >> 1;
  const lastHalf = thinModel(model, sites.slice(middle));
  const firstHalf = thinModel(lastHalf.rest, sites.slice(0, middle));
  return { rest: firstHalf.rest, kept: [...firstHalf.kept, ...lastHalf.kept] };
}

/** Isolates assertions of a thinned model, which has the same meaning with fewer assertions. */
function breakInThinModel(subject: Subject, faults: Faults, rest: Model, keptSites: ReadonlySet<Location>): void {
  const separateFaults: Faults = { valid: faults.valid, invalid: new Drafts(), broken: new Set(), reasons: new Map() };
  const thinSubject: Subject = { ...subject, model: rest };
  const visitedSites = new Set<Location>();
  for (const place of places(rest)) {
    const { keywords, location, resource } = nodeAt(rest, place.node);
    for (const keyword of keywords) {
      if (!sitesOf(keyword, rest).some(({ location }) => keptSites.has(location))) continue;
      const first = !visitedSites.has(keyword.site) && !subject.elsewhere.has(location, resource);
      visitedSites.add(keyword.site);
      breakKeyword(thinSubject, separateFaults, { place, keyword, first });
    }
  }
  for (const draft of separateFaults.invalid.all) {
    const { site } = draft;
    if (site === undefined || !keptSites.has(site) || faults.invalid.has(draft.data)) continue;
    if (isValid(subject.model, draft.data)) continue;
    faults.invalid.add(shareDraft(draft, site));
  }
}

/** Attributes a draft to an assertion that is not the only broken one. */
export function shareDraft({ site: _, features, ...draft }: Draft, because: Location): Draft {
  return {
    ...draft,
    because,
    features: [...features.filter((feature) => feature !== breaksFeature(because)), `with others ${because}`],
  };
}
