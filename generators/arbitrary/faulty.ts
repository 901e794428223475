import type fc from "fast-check";
import { type Change, type Json, type JsonObject, TouchstoneError } from "../../schemas/index.ts";
import { changeBetween } from "../changes/difference.ts";
import { applyChanges } from "../changes/patch.ts";
import { compileModel } from "../compile/compile.ts";
import { contextFor } from "../drafts/keyword-context.ts";
import { partsAt, reach, reachBroken } from "../drafts/reach.ts";
import { type FaultStep, routeTo } from "../drafts/route.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { type EvaluationPlace, places } from "../evaluate/places.ts";
import { sitesOf } from "../evaluate/sites.ts";
import type { Family, FaultContext, Proposal } from "../faults/fault.ts";
import { families } from "../faults/index.ts";
import { handlerOf } from "../keywords/table.ts";
import { type Keyword, type Location, type Model, nodeAt } from "../model/model.ts";
import { chanceOf, drawBelow, pick, type Random } from "../sample/random.ts";
import { type Sampler, type SamplerOptions, samplerFor } from "../sample/sampler.ts";
import { arbitraryOf } from "./drawing.ts";
import { resizeValue } from "./resizing.ts";
import { shrinkOnce } from "./smaller-values.ts";
import { isJson } from "./valid.ts";

/** An instance that breaks one site and nothing else: the schema refuses it, and accepts it without the site. */
export interface Faulty {
  data: Json;
  site: Location;
  /** JSON Pointer to the fault. */
  at: string;
  fault: string;
  /** The references, conditions and members that lead to the site, in order. */
  via: readonly FaultStep[];
  /** The valid instance that it was made from, and the change. */
  parent: Json;
  change: readonly Change[];
}

/** A keyword at a place, with the families that can break it. */
interface FaultTarget {
  place: EvaluationPlace;
  keyword: Keyword;
  breaking: readonly Family[];
}

const attempts = 200;
/** The number of sites tried on a random instance before another one is drawn. */
const attemptsPerInstance = 8;
/** If the random instance is useless for a site, an instance made for the site is used in one of this many cases. */
const reachingOneIn = 4;
const maxProposals = 16;
const budget = 3000;

/** Generates instances that break exactly one site of the schema `id`, which is among `schemas`, as a fast-check arbitrary. An instance shrinks to smaller ones that break the same site and still nothing else. Throws a usage error if there is nothing to break. */
export async function faultyArbitraryFor(
  schemas: readonly JsonObject[],
  id: string,
  options: SamplerOptions = {},
): Promise<fc.Arbitrary<Faulty>> {
  const model = await compileModel(schemas, id);
  const draw = createDraw(model, samplerFor(model, options), options.samples ?? []);
  return arbitraryOf<Faulty>({
    draw,
    smaller: (faulty) => smallerFaults(model, faulty),
    belongs: (value): value is Faulty => isFaulty(model, value),
  });
}

function createDraw(model: Model, sampler: Sampler, samples: readonly Json[]): (random: Random) => Faulty {
  const targetsBySite = targetsOf(model);
  const reachingInstances = new Map<FaultTarget, Json | undefined>();
  /** A valid instance known to reach the place with a value that the keyword applies to, for places that few instances reach. */
  const findReaching = (target: FaultTarget): Json | undefined => {
    if (!reachingInstances.has(target)) {
      const { place, keyword } = target;
      const solution = reach(model, place, samples, handlerOf(keyword).exercise?.(keyword));
      reachingInstances.set(target, "found" in solution ? solution.found : undefined);
    }
    return reachingInstances.get(target);
  };
  return (random) => {
    let parent = sampler.next(random);
    for (let attempt = 0; attempt < attempts && targetsBySite.length > 0; attempt += 1) {
      const target = pick(random, pick(random, targetsBySite));
      if (attempt % attemptsPerInstance === attemptsPerInstance - 1) parent = sampler.next(random);
      const fault = injectFault(random, model, target, parent);
      if (fault !== undefined) return fault;
      const reachingParent = chanceOf(random, reachingOneIn) ? findReaching(target) : undefined;
      const reachingFault =
        reachingParent === undefined ? undefined : injectFault(random, model, target, reachingParent);
      if (reachingFault !== undefined) return reachingFault;
    }
    const fault = breakParent(model, targetsBySite.flat(), parent);
    if (fault === undefined) throw new TouchstoneError("usage", "no fault could be injected", { where: model.root });
    return fault;
  };
}

/** Returns the fault that the solver finds near an instance, if no family has one for it. */
function breakParent(model: Model, targets: readonly FaultTarget[], parent: Json): Faulty | undefined {
  for (const { place, keyword } of targets)
    for (const { location: site } of sitesOf(keyword, model)) {
      const solution = reachBroken(model, place, site, parent);
      if (!("found" in solution)) continue;
      const change = changeBetween(parent, solution.found);
      const at = change.length === 1 ? (change[0]?.path ?? "") : "";
      const faulty = buildFaulty(model, parent, {
        site,
        at,
        fault: "broken",
        via: routeTo(model, place, site),
        change,
      });
      if (faulty !== undefined) return faulty;
    }
  return undefined;
}

/** Lists the breakable assertions, grouped by site, so that each site is equally likely, however many places lead to it. */
function targetsOf(model: Model): FaultTarget[][] {
  const targetsBySite = new Map<Location, FaultTarget[]>();
  for (const place of places(model)) {
    for (const keyword of nodeAt(model, place.node).keywords) {
      const breaking = families.filter((family) => family.keywords.includes(keyword.kind));
      if (breaking.length === 0) continue;
      targetsBySite.set(keyword.site, [...(targetsBySite.get(keyword.site) ?? []), { place, keyword, breaking }]);
    }
  }
  return [...targetsBySite.values()];
}

/** Returns one of the faults that the families propose for a keyword at some location of an instance, if it breaks only that site. */
function injectFault(random: Random, model: Model, target: FaultTarget, parent: Json): Faulty | undefined {
  const { place, keyword, breaking } = target;
  const parts = partsAt(model, place, parent);
  if (parts.length === 0) return undefined;
  const at = parts.length === 1 ? (parts[0] as string) : pick(random, parts);
  const guess: FaultContext["solve"] = (formulas, hint) => resizeValue(nodeAt(model, place.node), formulas, hint);
  const context = contextFor(
    { model, samples: [] },
    { place, keyword },
    { parent, at, first: true },
    { budget, mayBreakOthers: false, guess },
  );
  const proposals: Proposal[] = [];
  const proposalCount = 1 + drawBelow(random, maxProposals);
  for (const family of breaking) {
    if (proposals.length >= proposalCount) break;
    for (const proposal of family.propose(context)) {
      proposals.push(proposal);
      if (proposals.length >= proposalCount) break;
    }
  }
  for (const proposal of proposals.reverse()) {
    const { site, at, fault, change } = proposal;
    const data = isolatedBy(model, parent, site, change);
    if (data !== undefined) return { data, site, at, fault, via: routeTo(model, place, site), parent, change };
  }
  return undefined;
}

type PlannedFault = Pick<Faulty, "site" | "at" | "fault" | "via" | "change">;

function buildFaulty(model: Model, parent: Json, { site, at, fault, via, change }: PlannedFault): Faulty | undefined {
  const data = isolatedBy(model, parent, site, change);
  return data === undefined ? undefined : { data, site, at, fault, via, parent, change };
}

/** Returns the changed instance, if it breaks only that site. */
function isolatedBy(model: Model, parent: Json, site: Location, change: readonly Change[]): Json | undefined {
  const data = applyChanges(parent, change);
  return data !== undefined && isIsolated(model, data, site) ? data : undefined;
}

/** Whether the instance is refused, however doubtful formats are read, and accepted without the site. */
function isIsolated(model: Model, data: Json, site: Location): boolean {
  return !isValid(model, data, { formatDoubt: true }) && isValid(model, data, { without: site });
}

/** Yields faults with a smaller parent and the same change, then faults with a smaller changed value. */
function* smallerFaults(model: Model, { site, at, fault, via, parent, change }: Faulty): Generator<Faulty> {
  for (const edit of shrinkOnce(parent)) {
    if (!isValid(model, edit.value)) continue;
    const paths = change.map(({ path }) => edit.moved(path));
    const moved = edit.moved(at);
    if (moved === undefined || paths.includes(undefined)) continue;
    const movedChange = change.map((operation, index) => ({ ...operation, path: paths[index] as string }));
    const smaller = buildFaulty(model, edit.value, { site, at: moved, fault, via, change: movedChange });
    if (smaller !== undefined) yield smaller;
  }
  for (const [index, operation] of change.entries()) {
    if (!("value" in operation)) continue;
    for (const { value } of shrinkOnce(operation.value as Json)) {
      const smallerChange = change.with(index, { ...operation, value } as Change);
      const smaller = buildFaulty(model, parent, { site, at, fault, via, change: smallerChange });
      if (smaller !== undefined) yield smaller;
    }
  }
}

function isFaulty(model: Model, value: unknown): value is Faulty {
  const { data, site, parent, change } = (value ?? {}) as Partial<Faulty>;
  return (
    isJson(data) &&
    isJson(parent) &&
    typeof site === "string" &&
    Array.isArray(change) &&
    isValid(model, parent) &&
    isIsolated(model, data, site)
  );
}
