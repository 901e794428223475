import type { Json, UnbrokenKind } from "../../schemas/index.ts";
import { changeBetween } from "../changes/difference.ts";
import { applyChanges } from "../changes/patch.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import { maxPublished } from "../faults/count.ts";
import type { Proposal } from "../faults/fault.ts";
import { families } from "../faults/index.ts";
import { longestPublished } from "../faults/length.ts";
import type { Keyword, Location, Model } from "../model/model.ts";
import { breaksFeature, contentOf, hasOwnDocument, pathKeys } from "./content.ts";
import type { Draft, Drafts, Subject } from "./draft.ts";
import { contextFor, type KeywordPlace, type SearchEffort } from "./keyword-context.ts";
import { locateFirst, type Parent } from "./parent.ts";
import { locate, partsAtLocation, reach, reachBroken } from "./reach.ts";
import { routeTo } from "./route.ts";

const effort: SearchEffort = { budget: 20_000, mayBreakOthers: true };

/** Injects every fault of every family. Returns the sites that were broken. */
export function breakAll(
  subject: Subject,
  drafts: Drafts,
  { place, keyword, parent, first }: KeywordPlace & { parent: Parent; first: boolean },
): Location[] {
  const broken: Location[] = [];
  for (const proposal of proposalsFor(subject, { place, keyword }, parent, first))
    if (
      inject(subject, drafts, {
        place,
        parent: parent.draft,
        proposal,
        uniqueFeatures: uniqueFeaturesOf(subject, keyword, place, proposal),
      })
    )
      broken.push(proposal.site);
  return broken;
}

/** Yields every fault that a family proposes. */
export function* proposalsFor(
  subject: Subject,
  { place, keyword }: KeywordPlace,
  { draft, at }: Parent,
  first: boolean,
): Generator<Proposal> {
  const context = contextFor(subject, { place, keyword }, { parent: draft.data, at, first }, effort);
  for (const family of families) if (family.keywords.includes(keyword.kind)) yield* family.propose(context);
}

/** Lists the unique features of a fault. Places with the same assertion share them; for a member of another branch, each place has its own. */
export function uniqueFeaturesOf(
  subject: Subject,
  keyword: Keyword,
  place: EvaluationPlace,
  { fault, detail = "", spare }: Proposal,
): string[] {
  if (spare === true) return [];
  const assertionKey = fault === "foreign-field" ? pathKeys(place).at(-1) : contentOf(keyword);
  const isElsewhere = hasOwnDocument(subject, place.node) || subject.before?.has(String(assertionKey)) === true;
  return isElsewhere ? [] : [`${assertionKey} ${fault} ${detail}`];
}

/** Adds the invalid instance if it breaks only this site: it is refused, but accepted without the site. */
export function inject(
  { model }: Subject,
  drafts: Drafts,
  {
    place,
    parent,
    proposal,
    uniqueFeatures = [],
  }: { place: EvaluationPlace; parent: Draft; proposal: Proposal; uniqueFeatures?: readonly string[] },
): boolean {
  const data = applyChanges(parent.data, proposal.change);
  if (data === undefined || isTooLong(data)) return false;
  if (isValid(model, data) || !isValid(model, data, { without: proposal.site })) return false;
  // If validators disagree about a format, the draft is kept, and the oracles will mark it as disputed.
  const isDoubtful = isValid(model, data, { formatDoubt: true });
  drafts.add({
    ...isolateFault(model, place, parent, proposal),
    data,
    site: proposal.site,
    features: [breaksFeature(proposal.site), ...pathKeys(place).map((path) => `fails at ${path}`)],
    uniqueFeatures: [...uniqueFeatures],
  });
  return !isDoubtful;
}

/** Makes the draft of a fault, which may break more than its site, without instance and features. */
export function isolateFault(
  model: Model,
  place: EvaluationPlace,
  parent: Draft,
  { at, fault, detail, says, tags = [], site, change }: Proposal,
): Omit<Draft, "data" | "site" | "features" | "uniqueFeatures"> {
  const name = [at, fault, ...(detail === undefined ? [] : [detail])];
  return { name, at, says, tags, place, fault, route: routeTo(model, place, site), parent, change };
}

/** Whether a message is longer than a published instance may be. */
export function isTooLong(data: Json): boolean {
  // JSON needs at most six characters for a UTF-16 unit, and a code point has at most two units.
  return JSON.stringify(data).length > 12 * longestPublished;
}

/** Whether an instance that violates the keyword is too large to publish. */
export function isTooLarge(keyword: Keyword): boolean {
  if (keyword.kind === "maxLength" || keyword.kind === "minLength") return keyword.limit >= longestPublished;
  return "limit" in keyword && /Items|Properties/.test(keyword.kind) && keyword.limit >= maxPublished;
}

/** The reason for an assertion that is proven to be unbreakable. */
export const unbreakableReason = { kind: "unbreakable", why: "no instance breaks it alone" } as const;

/** Lets the solver break a site that no family could break. Returns the reason if it fails. */
export function breakWithSolver(
  subject: Subject,
  drafts: Drafts,
  { place, keyword, site, parent }: { place: EvaluationPlace; keyword: Keyword; site: Location; parent: Draft },
): { kind: UnbrokenKind; why: string } | undefined {
  if (isTooLarge(keyword)) return { kind: "too-large", why: "an instance that breaks it is too large to publish" };
  const solution = reachBroken(subject.model, place, site, parent.data);
  if ("none" in solution) return unbreakableReason;
  if ("gaveUp" in solution) return { kind: "gave-up", why: solution.gaveUp };
  const change = changeBetween(parent.data, solution.found);
  const at = change.length === 1 ? (change[0]?.path ?? "") : (locate(subject.model, place, keyword, parent.data) ?? "");
  const isInjected = inject(subject, drafts, {
    place,
    parent,
    proposal: {
      fault: "broken",
      detail: keyword.kind,
      site,
      at,
      change,
      says: `breaks ${keyword.kind}`,
    },
  });
  return isInjected ? undefined : { kind: "entangled", why: "the instances that break it break something else too" };
}

/** Injects a part that a schema `false` below a name or index forbids. */
export function injectForbiddenPart(
  { model, samples }: Subject,
  invalid: Drafts,
  valid: Drafts,
  place: EvaluationPlace,
): boolean {
  const abovePlace: EvaluationPlace = { ...place, steps: place.steps.slice(0, -1), at: place.at.slice(0, -1) };
  const base = reach(model, abovePlace, samples);
  if (!("found" in base) || !isValid(model, base.found)) return false;
  const solution = reachBroken(model, place, place.node, base.found);
  if (!("found" in solution)) return false;
  const at = locateForbiddenPart(model, place, solution.found);
  if (at === undefined) return false;
  const parent = valid.add({
    data: base.found,
    name: [locateFirst(abovePlace, base.found) ?? "", "present"],
    at: "",
    says: "is present",
    tags: [],
    features: [],
    uniqueFeatures: [],
  });
  return inject({ model, samples, elsewhere: new Set() }, invalid, {
    place,
    parent,
    proposal: {
      fault: "forbidden-member",
      site: place.node,
      at,
      change: changeBetween(parent.data, solution.found),
      says: "is present but not allowed",
    },
  });
}

/** Finds the location of the forbidden part: the instance is valid without it. */
function locateForbiddenPart(model: Model, place: EvaluationPlace, instance: Json): string | undefined {
  const parts = partsAtLocation(place, instance);
  const isForbidden = (path: string): boolean => {
    const rest = applyChanges(instance, [{ op: "remove", path }]);
    return rest !== undefined && isValid(model, rest);
  };
  return parts.find(isForbidden) ?? parts[0];
}
