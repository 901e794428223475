import { type Change, isObject, type Json, pointer } from "../../schemas/index.ts";
import { changeBetween } from "../changes/difference.ts";
import { applyChanges } from "../changes/patch.ts";
import { breaksFeature } from "../drafts/content.ts";
import { type Draft, findMaskingRules, type Subject } from "../drafts/draft.ts";
import { inject } from "../drafts/inject.ts";
import { locateFirst } from "../drafts/parent.ts";
import { reachBroken } from "../drafts/reach.ts";
import { repair } from "../drafts/repair.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { Location } from "../model/model.ts";
import type { Faults } from "./isolation.ts";

/** The maximum number of failed attempts with the same rules, for one assertion and in total. */
const maxFailed = 2;
const maxFailedInTotal = 40;

/** The maximum number of valid instances used as bases, of bases near which the solver searches, and of numbers that are adjusted. */
const maxBases = 40;
const maxNearbyBases = 6;
const maxNumbers = 12;

/**
 * Moves each fault that also breaks a semantic rule to an instance that breaks none: its own instance after a repair, another valid instance, or one with a
 * number adjusted. Otherwise an implementation that enforces all rules would refuse the instance because of the rule, and a mistake about the assertion would
 * stay hidden. If no fault of an assertion can be moved, the solver searches for another one near an instance that breaks no rule.
 */
export function repairRuleBreaches(subject: Subject, faults: Faults): void {
  const { valid, invalid } = faults;
  const isolatingDrafts = invalid.all.filter(({ site }) => site !== undefined);
  const maskedDrafts = new Set(
    isolatingDrafts.filter((draft) => findMaskingRules(subject, draft, draft.data).length > 0),
  );
  if (maskedDrafts.size === 0) return;
  const drafts = valid.all.filter(({ data }) => (subject.breaches?.(data) ?? []).length === 0).slice(0, maxBases);
  const bases: FaultBase[] = [...drafts, ...(subject.examples ?? []).slice(0, maxBases).map((data) => ({ data }))];
  const failedAttempts = new Map<string, number>();
  for (const draft of maskedDrafts) {
    const rules = findMaskingRules(subject, draft, draft.data).join(" ");
    const [siteKey, ruleKey] = [`${draft.site} ${rules}`, rules];
    if ((failedAttempts.get(siteKey) ?? 0) >= maxFailed || (failedAttempts.get(ruleKey) ?? 0) >= maxFailedInTotal)
      continue;
    const movedFault = findUnmasked(subject, draft, bases, (data) => !invalid.has(data));
    if (movedFault === undefined)
      for (const key of [siteKey, ruleKey]) failedAttempts.set(key, (failedAttempts.get(key) ?? 0) + 1);
    else {
      invalid.replace(draft, movedFault);
      maskedDrafts.delete(draft);
    }
  }
  const repairedSites = new Set(isolatingDrafts.flatMap((draft) => (maskedDrafts.has(draft) ? [] : draft.site)));
  const firstDraftBySite = new Map([...maskedDrafts].reverse().map((draft) => [draft.site, draft]));
  for (const [site, draft] of firstDraftBySite)
    if (!repairedSites.has(site) && searchNearby(subject, faults, draft, bases)) repairedSites.add(site);
  // If an assertion has faults that no rule hides, only those count as testing it.
  for (const draft of maskedDrafts)
    if (repairedSites.has(draft.site) && findMaskingRules(subject, draft, draft.data).length > 0)
      draft.features = draft.features.filter((feature) => feature !== breaksFeature(draft.site as Location));
}

/** Finds assertions for which every isolating fault also breaks a semantic rule, with these rules. */
export function maskedSites(subject: Subject, invalid: readonly Draft[]): Map<Location, string[]> {
  const rules = new Map<Location, Set<string>>();
  const unmasked = new Set<Location>();
  for (const draft of invalid) {
    const { site, data } = draft;
    if (site === undefined || unmasked.has(site)) continue;
    const maskingRules = findMaskingRules(subject, draft, data);
    if (maskingRules.length === 0) unmasked.add(site);
    rules.set(site, new Set([...(rules.get(site) ?? []), ...maskingRules]));
  }
  return new Map(
    [...rules].flatMap(([site, maskingRules]) => (unmasked.has(site) ? [] : [[site, [...maskingRules].sort()]])),
  );
}

/** A valid instance that breaks no rule: a draft, or a valid example from the cases of a rule. */
type FaultBase = Draft | Pick<Draft, "data">;

/** The changed members of a draft after its fault was moved. */
type MovedFault = Pick<Draft, "data" | "parent" | "change">;

function findUnmasked(
  subject: Subject,
  draft: Draft,
  bases: readonly FaultBase[],
  isNew: (data: Json) => boolean,
): MovedFault | undefined {
  const { site, place, at, parent, change = [] } = draft;
  if (site === undefined || place === undefined || parent === undefined) return undefined;
  const isIsolatedIn = (data: Json): boolean => isIsolated(subject, site, data);
  const isUnmasked = (data: Json): boolean =>
    findMaskingRules(subject, draft, data).length === 0 && isIsolatedIn(data) && isNew(data);
  const repaired = repair(subject, place, { instance: draft.data, kept: at, fits: isIsolatedIn });
  if (isUnmasked(repaired)) return { data: repaired, parent, change: changeBetween(parent.data, repaired) };
  const candidateBases = [parent, ...bases.filter((base) => base !== parent)];
  for (const base of candidateBases) {
    const data = applyChanges(base.data, change);
    if (data !== undefined && isUnmasked(data)) return moveTo(data, base, parent, change);
  }
  const extremes = extremesOf(candidateBases);
  for (const base of candidateBases) {
    const data = applyChanges(base.data, change);
    const adjusted =
      data === undefined || !isIsolatedIn(data)
        ? undefined
        : adjustLocation(base.data, data, { at, extremes, isAcceptable: isUnmasked });
    if (adjusted !== undefined) return moveTo(adjusted, base, parent);
  }
  return undefined;
}

/** Makes the base the new parent, if it is a draft. An example cannot be a parent, so the old one stays. */
function moveTo(data: Json, base: FaultBase, before: Draft, change?: Change[]): MovedFault {
  if (!("name" in base)) return { data, parent: before, change: changeBetween(before.data, data) };
  return { data, parent: base, change: change ?? changeBetween(base.data, data) };
}

function isIsolated({ model }: Subject, site: Location, data: Json): boolean {
  return (
    !isValid(model, data) && !isValid(model, data, { formatDoubt: true }) && isValid(model, data, { without: site })
  );
}

/**
 * Adjusts one number elsewhere, as a count, a sum or a length may require: by the same difference or ratio as the value at the fault, to the same value, or
 * by one. Otherwise sets all numbers of one kind to an extreme.
 */
function adjustLocation(
  before: Json,
  data: Json,
  {
    at,
    extremes,
    isAcceptable,
  }: { at: string; extremes: ReadonlyMap<string, readonly number[]>; isAcceptable: (data: Json) => boolean },
): Json | undefined {
  const [sizeBefore, sizeNow] = [sizeOf(pointer.at(at, before)), sizeOf(pointer.at(at, data))];
  const numbersElsewhere = numbersIn(data, "").filter(([path]) => !pointer.areRelated(path, at));
  const candidatesFor = (value: number): number[] => [
    ...(sizeBefore === undefined || sizeNow === undefined
      ? []
      : [value + sizeNow - sizeBefore, (value * sizeNow) / sizeBefore, sizeNow]),
    value + 1,
    value - 1,
  ];
  const singleAdjustments = numbersElsewhere
    .slice(0, maxNumbers)
    .flatMap(([path, value]) =>
      [...new Set(candidatesFor(value))]
        .filter((other) => Number.isInteger(other))
        .map((other) => [[path, other] as const]),
    );
  const jointAdjustments = [...extremes].flatMap(([kind, values]) => {
    const paths = numbersElsewhere.flatMap(([path]) => (kindOf(path) === kind ? [path] : []));
    return paths.length === 0 ? [] : values.map((end) => paths.map((path) => [path, end] as const));
  });
  for (const numbers of [...singleAdjustments, ...jointAdjustments]) {
    const change = numbers.map(([path, value]): Change => ({ op: "replace", path, value }));
    const adjusted = applyChanges(data, change);
    if (adjusted !== undefined && isAcceptable(adjusted)) return adjusted;
  }
  return undefined;
}

/** Lists the smallest and the largest number of each kind in these instances. */
function extremesOf(instances: readonly FaultBase[]): Map<string, readonly number[]> {
  const extremes = new Map<string, readonly number[]>();
  for (const [path, value] of instances.flatMap(({ data }) => numbersIn(data, ""))) {
    const kindValues = [...(extremes.get(kindOf(path)) ?? []), value];
    extremes.set(kindOf(path), [...new Set([Math.min(...kindValues), Math.max(...kindValues)])]);
  }
  return extremes;
}

/** Numbers are of one kind if their locations differ only in the index of items. */
function kindOf(path: string): string {
  return path.replace(/\/(0|[1-9][0-9]*)(?=\/|$)/g, "/*");
}

/** Returns the number, length or count of a value, on which other values may depend. */
function sizeOf(value: Json | undefined): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "string") return value.length;
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : undefined;
}

function numbersIn(value: Json, at: string): [string, number][] {
  if (typeof value === "number") return [[at, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => numbersIn(part as Json, pointer.append(at, key)));
}

/** Searches near instances that break no rule for one that isolates the assertion of a fault and breaks no rule either. Returns whether one was added. */
function searchNearby(subject: Subject, { invalid }: Faults, draft: Draft, bases: readonly FaultBase[]): boolean {
  const { site, place, parent } = draft;
  if (site === undefined || place === undefined || parent === undefined) return false;
  return bases.slice(0, maxNearbyBases).some((base) => {
    const solution = reachBroken(subject.model, place, site, base.data);
    if (!("found" in solution) || findMaskingRules(subject, draft, solution.found).length > 0) return false;
    const newParent = "name" in base ? base : parent;
    const change = changeBetween(newParent.data, solution.found);
    // The draft came from a search too, so only its instance is replaced.
    if (draft.fault === "broken" && isIsolated(subject, site, solution.found) && !invalid.has(solution.found)) {
      invalid.replace(draft, { data: solution.found, parent: newParent, change });
      return true;
    }
    const at = change.length === 1 ? (change[0]?.path ?? "") : (locateFirst(place, solution.found) ?? "");
    const detail = site.split("/").at(-1) ?? "";
    return inject(subject, invalid, {
      place,
      parent: newParent,
      proposal: {
        fault: "broken",
        detail,
        site,
        at,
        change,
        says: "breaks it alone",
      },
    });
  });
}
