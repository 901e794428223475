import type { JsonObject } from "../../schemas/index.ts";
import type { Drafts, Subject } from "../drafts/draft.ts";
import { mayContinue } from "../drafts/work-progress.ts";
import { type EvaluationPlace, places } from "../evaluate/places.ts";
import { workInRounds } from "../model/effort.ts";
import type { Location, Model } from "../model/model.ts";
import { distinguishingInstances } from "./distinguish.ts";
import { type Mutant, mutateModel, requiredKills } from "./mutant.ts";
import { MutantKiller } from "./mutant-killer.ts";
import { mutantsOf } from "./mutants.ts";
import { isMonotonic } from "./polarity.ts";
import { isRedundant } from "./redundancy.ts";

/** The maximum number of paths to one schema on which distinguishing values are searched for. */
const maxPlaces = 2;

export interface MutantOutcomes {
  all: Mutant[];
  /** Proven by the solver: no instance distinguishes them from the schema. */
  equivalent: ReadonlySet<Mutant>;
  /** Proven by the solver: one instance distinguishes them from the schema, and no other. */
  killableOnce: ReadonlySet<Mutant>;
  /** For mutants that are killed only by vectors that semantic rules may refuse: these rules. No target fails because of such a mutant. */
  refusingRules: ReadonlyMap<Mutant, readonly string[]>;
  /** For the other mutants with too few kills: the reason. */
  reasons: ReadonlyMap<Mutant, string>;
  /** Whether some mutants were not examined. */
  partial: boolean;
}

/**
 * Adds drafts until each mutant has enough kills or is proven to be equivalent. A mutant of another document's schema needs one kill, most others two. Each
 * added draft is valid or violates one assertion, as all drafts do.
 */
export function killMutants(
  subject: Subject,
  schemas: readonly JsonObject[],
  valid: Drafts,
  invalid: Drafts,
): MutantOutcomes {
  const { model } = subject;
  const isOver = (): boolean => !mayContinue({ stage: "mutants", done: 0, total: 1 }, model, subject.watch);
  const { all, partial } = mutantsOf(model, schemas, subject.elsewhere, isOver);
  const placesByNode = new Map<Location, EvaluationPlace[]>();
  for (const place of places(model)) {
    const nodePlaces = placesByNode.get(place.node) ?? [];
    if (nodePlaces.length < maxPlaces) placesByNode.set(place.node, [...nodePlaces, place]);
  }
  const killer = new MutantKiller(subject, valid, invalid);
  const equivalent = new Set<Mutant>();
  const killableOnce = new Set<Mutant>();
  const refusingRules = new Map<Mutant, readonly string[]>();
  const reasons = new Map<Mutant, string>();
  const total = all.length;
  const triedCount = workInRounds(
    all,
    model.effort,
    (done) => mayContinue({ stage: "mutants", done, total }, model, subject.watch),
    (mutant) => {
      // Instances with many values kill most fine-grained mutants, which then need no vectors of their own.
      if (mutant.isFineGrained === true && mutant.isTriedEarly !== true) killer.pack();
      const outcome = followsFromEquivalent(model, mutant, equivalent)
        ? "equivalent"
        : killMutant(killer, model, mutant, placesByNode);
      reasons.delete(mutant);
      if (outcome === "equivalent") equivalent.add(mutant);
      else if (outcome === "only") killableOnce.add(mutant);
      else if (outcome !== "killed") reasons.set(mutant, outcome.why);
      const rules =
        outcome !== "equivalent" && killer.findKillers(mutant).length === 0
          ? killer.settleUndecided(mutant)
          : undefined;
      if (rules !== undefined) refusingRules.set(mutant, rules);
    },
  );
  for (const mutant of reasons.keys()) {
    if (isOver()) break;
    if (isRemoval(mutant) && killer.findKillers(mutant).length === 0 && isRedundant(model, mutant.site))
      equivalent.add(mutant);
  }
  for (const mutant of equivalent) reasons.delete(mutant);
  return {
    all: all.slice(0, triedCount),
    equivalent,
    killableOnce,
    refusingRules,
    reasons,
    partial: partial || triedCount < total,
  };
}

/** Whether the mutant is equivalent because even the mutant with the same mistake in all places is equivalent. */
function followsFromEquivalent(
  model: Model,
  { wholeMutant, effect }: Mutant,
  equivalent: ReadonlySet<Mutant>,
): boolean {
  if (wholeMutant === undefined || effect === "other" || !equivalent.has(wholeMutant)) return false;
  const touched = wholeMutant.nodes.map(({ location }) => location);
  return isMonotonic(mutateModel(model, wholeMutant), touched);
}

/** Whether the mutant only removes one assertion. */
function isRemoval({ edits: [edit, ...others], site }: Mutant): boolean {
  return edit !== undefined && edit.at === site && edit.value === undefined && others.length === 0;
}

/** Indexes of the instances near which the search for a kill starts. */
const startIndexes = [0, 1, 2, 5, 8, 13, 21, 34];

/** Tries to kill a mutant as often as needed. Returns the result, or why it failed. */
function killMutant(
  killer: MutantKiller,
  model: Model,
  mutant: Mutant,
  placesByNode: ReadonlyMap<Location, EvaluationPlace[]>,
): "killed" | "equivalent" | "only" | { why: string } {
  const neededKills = requiredKills(mutant);
  const countKills = () => killer.findKillers(mutant).length;
  const otherPrefix = () => (countKills() > 0 ? "other " : "");
  for (const { location } of mutant.nodes)
    for (const place of placesByNode.get(location) ?? [])
      if (countKills() < neededKills) killer.tryAtPlace(mutant, place);
  if (countKills() === 1 && neededKills > 1) killer.repeatKill(mutant);
  let why: string | undefined;
  const nearbyInstances = killer.ruleKeepingInstances();
  for (const [attempt, index] of startIndexes.entries()) {
    const hint = nearbyInstances[index];
    if (hint === undefined) break;
    const killers = killer.findKillers(mutant);
    if (killers.length >= neededKills) return "killed";
    for (const solution of distinguishingInstances(model, mutant, {
      hint,
      limit: neededKills,
      known: killers.map(({ data }) => data),
    })) {
      if ("none" in solution) return killers.length === 0 ? "equivalent" : "only";
      if ("gaveUp" in solution) why = solution.gaveUp;
      else if (
        !killer.tryInstance(mutant, solution.found, placesByNode) &&
        !killer.isolate(mutant, solution.found, placesByNode)
      )
        why ??= `every ${otherPrefix()}instance found that kills it breaks ${killer.isSetAside(mutant) ? "other rules" : "several assertions"}`;
    }
    // From another starting point, the search may find an instance that breaks no rule.
    if (countKills() === 0 && !(killer.isSetAside(mutant) && attempt === 0)) break;
  }
  if (countKills() === 1 && neededKills > 1) killer.repeatKill(mutant);
  if (countKills() >= neededKills) return "killed";
  if (killer.needsOversizedInstance(mutant)) return { why: "a distinguishing instance is too large to publish" };
  return { why: why ?? `no ${otherPrefix()}instance that kills it was found` };
}
