import type { Json, JsonObject } from "../../schemas/index.ts";
import { acceptances } from "../accept/index.ts";
import { addAccepted } from "../drafts/accept.ts";
import { type Draft, Drafts, type Subject } from "../drafts/draft.ts";
import { breakAll, injectForbiddenPart } from "../drafts/inject.ts";
import { parentFor } from "../drafts/parent.ts";
import {
  describeUnfinished,
  isVast,
  mayContinue,
  type Stage,
  type Watch,
  type WorkProgress,
} from "../drafts/work-progress.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { type EvaluationPlace, places } from "../evaluate/places.ts";
import { recursions } from "../evaluate/recursions.ts";
import { sites, sitesOf } from "../evaluate/sites.ts";
import { type Formula, trueFormula } from "../formulas/formula.ts";
import { Effort, workInRounds } from "../model/effort.ts";
import { type Keyword, type Location, type Model, nodeAt } from "../model/model.ts";
import { killMutants, type MutantOutcomes } from "../mutation/kill-mutants.ts";
import { addNamed } from "../named/index.ts";
import { solve } from "../solve/solve.ts";
import { breakBesideFormats } from "./beside-formats.ts";
import { breakKeyword } from "./break-keyword.ts";
import { confirmUnbreakable, type Faults, type UnbrokenReason } from "./isolation.ts";
import { breakTogether } from "./joint-faults.ts";
import type { Extent, KeptWork } from "./kept-work.ts";
import { removeUnneeded } from "./leanest-instance.ts";
import { addValuesOfOtherTypes } from "./other-types.ts";
import { maskedSites, repairRuleBreaches } from "./rule-repair.ts";

/** A site without its own invalid vector, and the reason. */
export interface Unbroken extends UnbrokenReason {
  site: Location;
}

/** The reason for an assertion that no search reached. */
export const unreachedReason: UnbrokenReason = { kind: "unreached", why: "no valid instance reaches it" };

export interface Plan {
  valid: Draft[];
  invalid: Draft[];
  /** Sites that some invalid vector isolates. */
  broken: ReadonlySet<Location>;
  unbroken: Unbroken[];
  mutants: MutantOutcomes;
}

/** Plans all tests for implementations of one schema: valid instances, and invalid ones that break one site each. */
export function planVectors(
  subject: Subject,
  schemas: readonly JsonObject[],
  extent?: Extent,
  kept: KeptWork = {},
): Plan {
  const limitedSubject = limitEffort(subject, "faults");
  const faults = extent === "least" ? makeSmallestOnly(limitedSubject) : (kept.faults ?? planFaults(limitedSubject));
  if (extent === "faults") kept.faults = faults;
  const { valid, invalid, broken, reasons } = faults;
  const mutants =
    extent === undefined ? killMutants(limitEffort(subject, "mutants"), schemas, valid, invalid) : noMutants;
  if (extent === undefined || extent === "core") addNamed(limitEffort(subject, "families"), valid, invalid);
  for (const [site, rules] of maskedSites(subject, invalid.all)) {
    broken.delete(site);
    reasons.set(site, {
      kind: "ruled",
      why: `every instance found that violates it alone breaks ${rules.join(" or ")} too`,
    });
  }
  const unbroken = [...reasons].filter(([site]) => !broken.has(site)).map(([site, reason]) => ({ site, ...reason }));
  return { valid: valid.all, invalid: invalid.all, broken, unbroken, mutants };
}

const noMutants: MutantOutcomes = {
  all: [],
  equivalent: new Set<never>(),
  killableOnce: new Set<never>(),
  refusingRules: new Map(),
  reasons: new Map(),
  partial: true,
};

/** Makes the smallest valid instance, and no invalid one. */
function makeSmallestOnly(subject: Subject): Faults {
  const faults: Faults = { valid: new Drafts(), invalid: new Drafts(), broken: new Set(), reasons: new Map() };
  addSmallest(subject, faults.valid);
  const reason = { kind: "not-worked-on", why: "not worked on: only the smallest valid message was made" } as const;
  for (const { location } of sites(subject.model)) faults.reasons.set(location, reason);
  return faults;
}

/** Limits the work of one stage. If `watch` returns false, the stage ends even within a search. */
function limitEffort({ effort = Number.POSITIVE_INFINITY, watch, ...subject }: Subject, stage: Stage): Subject {
  if (effort === Number.POSITIVE_INFINITY && watch === undefined) return subject;
  let lastProgress: WorkProgress = { stage, done: 0, total: 1 };
  const shouldContinue = watch ?? (() => true);
  const watchProgress: Watch = (progress) => {
    lastProgress = progress;
    return shouldContinue(progress);
  };
  return {
    ...subject,
    watch: watchProgress,
    model: { ...subject.model, effort: new Effort(effort, () => !shouldContinue(lastProgress)) },
  };
}

/** The work limit for the fullest instances of a large schema. */
const fullestWork = 500_000;

/** Makes the valid instances, and the invalid ones that break one assertion each. */
function planFaults(subject: Subject): Faults {
  const faults: Faults = { valid: new Drafts(), invalid: new Drafts(), broken: new Set(), reasons: new Map() };
  const { effort } = subject.model;
  addSmallest(subject, faults.valid);
  addWholeInstances(subject, faults.valid);
  const firstPlaces = new Map<Location, EvaluationPlace>();
  const allPlaces = places(subject.model);
  const selected = selectPlaces(allPlaces);
  const total = selected.length;
  const visitAll = (part: WorkPart): number =>
    workInRounds(
      selected,
      effort,
      (done) => mayContinue({ stage: "faults", done, total }, subject.model, subject.watch),
      (place) => workAtPlace(subject, faults, place, { seen: firstPlaces, all: allPlaces, part }),
    );
  const done = visitAll(effort === undefined ? "both" : "refused");
  if (done < total) {
    recordSkipped(subject.model, faults, selected.slice(done), describeUnfinished({ done, total }));
    return faults;
  }
  confirmUnbreakable(subject, faults, allPlaces);
  addValuesOfOtherTypes(subject, faults);
  breakTogether(subject, faults);
  breakBesideFormats(subject, faults);
  if (effort !== undefined) visitAll("accepted");
  addDeepInstances(subject, faults.valid);
  repairRuleBreaches(subject, faults);
  return faults;
}

/** The depth to which each recursive reference is followed: an implementation may have a limit that the schema lacks. */
const maxReferenceDepth = 6;
/** The maximum number of recursive references that are followed. In some schemas all parts refer to each other. */
const maxRecursions = 20;

function addDeepInstances(subject: Subject, valid: Drafts): void {
  const demand = {
    name: "deep",
    constraint: trueFormula,
    says: `is present, ${maxReferenceDepth} levels down a recursive reference`,
  };
  for (const { targetPlace } of recursions(subject.model, maxReferenceDepth).slice(0, maxRecursions))
    addAccepted(subject, valid, { place: targetPlace, keyword: undefined, demand });
}

/** The drafts to make at a place: invalid ones, valid ones, or both. If work is limited, invalid ones come first everywhere, because they isolate assertions. */
type WorkPart = "both" | "refused" | "accepted";

function recordSkipped(
  model: Model,
  { broken, reasons }: Faults,
  skipped: readonly EvaluationPlace[],
  why: string,
): void {
  const reason = { kind: "not-worked-on", why } as const;
  const skippedSites = skipped
    .flatMap(({ node }) => nodeAt(model, node).keywords)
    .flatMap((keyword) => sitesOf(keyword, model));
  for (const { location } of skippedSites)
    if (!broken.has(location) && !reasons.has(location)) reasons.set(location, reason);
}

function addSmallest(subject: Subject, valid: Drafts): void {
  const instance = findWhole(subject, false, subject.samples[0]);
  const smallest = instance === undefined ? undefined : removeUnneeded(subject, instance);
  addWhole(subject, valid, { name: ["minimal"], data: smallest, says: "has only its required members" });
}

/** Adds the samples, and for each sample the fullest instance with similar values. */
function addWholeInstances(subject: Subject, valid: Drafts): void {
  const { model, samples } = subject;
  for (const [index, sample] of samples.entries())
    addWhole(subject, valid, { name: ["sample", String(index + 1)], data: sample, says: "is a realistic instance" });
  const hintsWithoutSamples = isVast(model) ? [] : [undefined];
  const hints = samples.length > 0 ? samples : hintsWithoutSamples;
  for (const [index, hint] of hints.entries()) {
    const full = findFullest(subject, hint, fullestWork / hints.length);
    addWhole(subject, valid, {
      name: ["full", String(index + 1)],
      data: full,
      says: "has every member it can have",
    });
  }
}

function addWhole(
  { model }: Subject,
  valid: Drafts,
  { name, data, says }: { name: string[]; data: Json | undefined; says: string },
): void {
  if (data === undefined || !isValid(model, data)) return;
  valid.add({ data, name, at: "", says, tags: [], features: [], uniqueFeatures: [name.join("/")] });
}

/** The maximum number of values in a full instance. In a recursive schema, each level may have many times the values of the level above. */
const maxValues = 10_000;

/** Finds the fullest instance of moderate size: with all members at the upper levels, and only the required ones below. */
function findFullest(subject: Subject, hint: Json | undefined, workLimit: number): Json | undefined {
  const { effort } = subject.model;
  for (const depth of [undefined, 1, 0, -1]) {
    let full: Json | undefined;
    const search = (): void => {
      full = findWhole(subject, true, hint, depth);
    };
    if (effort === undefined) search();
    else effort.within(workLimit, search);
    if (full !== undefined && countValues(full, maxValues) < maxValues) return full;
    if (full === undefined && effort === undefined) return undefined;
  }
  return undefined;
}

/** Counts a value and all values inside it, up to a limit. */
function countValues(value: Json, limit: number): number {
  let count = 0;
  const queue: Json[] = [value];
  for (let next = queue.pop(); next !== undefined && count < limit; next = queue.pop()) {
    count += 1;
    if (typeof next === "object" && next !== null) queue.push(...Object.values(next));
  }
  return count;
}

function findWhole(
  { model }: Subject,
  full: boolean,
  hint: Json | undefined,
  depth?: number | undefined,
): Json | undefined {
  const root: Formula = { op: "schema", node: model.root, sign: true, scope: {} };
  const options = { ...(hint === undefined ? {} : { hint }), ...(depth === undefined ? {} : { depth }) };
  const solution = solve(model, [root], { full, ...options });
  return "found" in solution ? solution.found : undefined;
}

/** Makes the instances to accept at a place, and every fault that can be injected there. */
function workAtPlace(
  subject: Subject,
  faults: Faults,
  place: EvaluationPlace,
  { seen, all, part }: { seen: Map<Location, EvaluationPlace>; all: readonly EvaluationPlace[]; part: WorkPart },
): void {
  const { valid, invalid, broken } = faults;
  const node = nodeAt(subject.model, place.node);
  if (part !== "refused" && place.steps.length > 0) {
    addAccepted(subject, valid, {
      place,
      keyword: undefined,
      demand: { name: "present", constraint: trueFormula, says: "is present" },
    });
  }
  let hasInjected = false;
  for (const keyword of node.keywords) {
    if (!seen.has(keyword.site)) seen.set(keyword.site, place);
    const isFirstPlace = seen.get(keyword.site) === place && !subject.elsewhere.has(node.location, node.resource);
    for (const family of acceptances) {
      if (part === "refused" || !isFirstPlace || !family.keywords.includes(keyword.kind)) continue;
      for (const demand of family.demand(keyword, subject.model, node))
        addAccepted(subject, valid, { place, keyword, demand });
    }
    // On a repeated path, one fault is enough to show that it is followed. The schema is tested in full at its first place.
    if (part === "accepted" || (place.isRepeatedStep && hasInjected)) continue;
    if (breakKeyword(subject, faults, { place, keyword, first: isFirstPlace })) hasInjected = true;
    if (isFirstPlace && keyword.kind === "unevaluatedProperties") {
      for (const branch of branchesBelow(place, all)) breakInBranch(subject, faults, branch, keyword);
    }
  }
  if (
    part !== "accepted" &&
    node.always === false &&
    !broken.has(node.location) &&
    injectForbiddenPart(subject, invalid, valid, place)
  ) {
    broken.add(node.location);
  }
}

/** Breaks a keyword that closes an object in an instance with one of the object's branches. */
function breakInBranch(subject: Subject, { valid, invalid }: Faults, branch: EvaluationPlace, keyword: Keyword): void {
  const parent = parentFor(subject, valid, branch, keyword);
  if (!("why" in parent)) breakAll(subject, invalid, { place: branch, keyword, parent, first: true });
}

const branchingKeywords: ReadonlySet<Keyword["kind"] | undefined> = new Set([
  "oneOf",
  "anyOf",
  "if",
  "dependentSchemas",
] as const);

/** Lists the branches of choices and conditions that apply to the same value as a place. */
function branchesBelow({ steps, at }: EvaluationPlace, all: readonly EvaluationPlace[]): EvaluationPlace[] {
  return all.filter(
    (candidate) =>
      candidate.at.length === at.length &&
      candidate.steps.length > steps.length &&
      branchingKeywords.has(candidate.steps.at(-1)?.kind) &&
      steps.every(
        ({ site, key }, index) => candidate.steps[index]?.site === site && candidate.steps[index]?.key === key,
      ),
  );
}

/** Determines for each assertion whether some invalid instance breaks it alone. The value is "broken" or the reason why not. */
export function findBreakableSites(subject: Subject): Map<Location, string> {
  const { broken, reasons } = planFaults(subject);
  return new Map(
    sites(subject.model).map(({ location: site }) => [
      site,
      broken.has(site) ? "broken" : (reasons.get(site)?.why ?? unreachedReason.why),
    ]),
  );
}

/** The maximum number of paths that only repeat others; a schema with many references has many. */
const maxRepeated = 150;

function selectPlaces(all: readonly EvaluationPlace[]): EvaluationPlace[] {
  let repeatedCount = 0;
  return all.filter(({ isRepeatedStep: isRepeated }) => {
    if (isRepeated) repeatedCount += 1;
    return !isRepeated || repeatedCount <= maxRepeated;
  });
}
