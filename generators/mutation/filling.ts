import type { JsonObject } from "../../schemas/index.ts";
import type { Drafts, Subject } from "../drafts/draft.ts";
import { mayContinue } from "../drafts/work-progress.ts";
import { type EvaluationPlace, places } from "../evaluate/places.ts";
import { workInRounds } from "../model/effort.ts";
import type { Location, Model } from "../model/model.ts";
import { distinguishingInstances } from "./distinguish.ts";
import { MutantKiller } from "./filler.ts";
import { killsWanted, type Mutant, mutateModel } from "./mutant.ts";
import { mutantsOf } from "./mutants.ts";
import { isMonotonic } from "./polarity.ts";
import { isRedundant } from "./redundancy.ts";

/** The maximum number of paths to one schema on which a distinguishing value is searched. */
const maxPlaces = 2;

export interface MutantOutcomes {
  all: Mutant[];
  /** Proven by the solver: no instance distinguishes them from the schema. */
  equivalent: ReadonlySet<Mutant>;
  /** Proven by the solver: one instance distinguishes them from the schema, and no other. */
  only: ReadonlySet<Mutant>;
  /** Mutants for which semantic rules may refuse every vector that kills them, with these rules. No target fails because of them. */
  beyond: ReadonlyMap<Mutant, readonly string[]>;
  /** Why the other mutants have too few kills. */
  reasons: ReadonlyMap<Mutant, string>;
  /** Whether there are more mutants than were examined. */
  partial: boolean;
}

/**
 * Adds drafts until each mutant is killed by two of them, or by one if it belongs to another document, or is proven to be equivalent. Each added draft is
 * valid or violates one assertion, as all drafts do.
 */
export function fill(subject: Subject, schemas: readonly JsonObject[], valid: Drafts, invalid: Drafts): MutantOutcomes {
  const { model } = subject;
  const isOver = (): boolean => !mayContinue({ stage: "mutants", done: 0, total: 1 }, model, subject.watch);
  const { all, partial } = mutantsOf(model, schemas, subject.elsewhere, isOver);
  const byNode = new Map<Location, EvaluationPlace[]>();
  for (const place of places(model)) {
    const nodePlaces = byNode.get(place.node) ?? [];
    if (nodePlaces.length < maxPlaces) byNode.set(place.node, [...nodePlaces, place]);
  }
  const filler = new MutantKiller(subject, valid, invalid);
  const equivalent = new Set<Mutant>();
  const only = new Set<Mutant>();
  const beyond = new Map<Mutant, readonly string[]>();
  const reasons = new Map<Mutant, string>();
  const total = all.length;
  const triedCount = workInRounds(
    all,
    model.effort,
    (done) => mayContinue({ stage: "mutants", done, total }, model, subject.watch),
    (mutant) => {
      // Instances with many values kill most fine-grained mutants, which then need no vectors of their own.
      if (mutant.isFineGrained === true && mutant.isTriedEarly !== true) filler.pack();
      const outcome = followsFromEquivalent(model, mutant, equivalent)
        ? "equivalent"
        : killMutant(filler, model, mutant, byNode);
      reasons.delete(mutant);
      if (outcome === "equivalent") equivalent.add(mutant);
      else if (outcome === "only") only.add(mutant);
      else if (outcome !== "killed") reasons.set(mutant, outcome.why);
      const rules =
        outcome !== "equivalent" && filler.killers(mutant).length === 0 ? filler.settleUndecided(mutant) : undefined;
      if (rules !== undefined) beyond.set(mutant, rules);
    },
  );
  for (const mutant of reasons.keys()) {
    if (isOver()) break;
    if (isRemoval(mutant) && filler.killers(mutant).length === 0 && isRedundant(model, mutant.site))
      equivalent.add(mutant);
  }
  for (const mutant of equivalent) reasons.delete(mutant);
  return { all: all.slice(0, triedCount), equivalent, only, beyond, reasons, partial: partial || triedCount < total };
}

/** Whether the mutant is equivalent because the mutant with the same mistake in all places is. */
function followsFromEquivalent(model: Model, { of, effect }: Mutant, equivalent: ReadonlySet<Mutant>): boolean {
  if (of === undefined || effect === "other" || !equivalent.has(of)) return false;
  const touched = of.nodes.map(({ location }) => location);
  return isMonotonic(mutateModel(model, of), touched);
}

/** Whether the mistake only leaves out one assertion. */
function isRemoval({ edits: [edit, ...others], site }: Mutant): boolean {
  return edit !== undefined && edit.at === site && edit.value === undefined && others.length === 0;
}

/** Indexes of the instances that serve as starting points of the search for a kill. */
const checkpoints = [0, 1, 2, 5, 8, 13, 21, 34];

/** Tries to kill a mutant as often as needed. Returns the result, or why it failed. */
function killMutant(
  filler: MutantKiller,
  model: Model,
  mutant: Mutant,
  byNode: ReadonlyMap<Location, EvaluationPlace[]>,
): "killed" | "equivalent" | "only" | { why: string } {
  const neededKills = killsWanted(mutant);
  const countKills = () => filler.killers(mutant).length;
  const otherPrefix = () => (countKills() > 0 ? "other " : "");
  for (const { location } of mutant.nodes)
    for (const place of byNode.get(location) ?? []) if (countKills() < neededKills) filler.tryAtPlace(mutant, place);
  if (countKills() === 1 && neededKills > 1) filler.repeatKill(mutant);
  let why: string | undefined;
  const nearbyInstances = filler.ruleKeepingInstances();
  for (const [attempt, index] of checkpoints.entries()) {
    const hint = nearbyInstances[index];
    if (hint === undefined) break;
    const killers = filler.killers(mutant);
    if (killers.length >= neededKills) return "killed";
    for (const solution of distinguishingInstances(model, mutant, {
      hint,
      limit: neededKills,
      known: killers.map(({ data }) => data),
    })) {
      if ("none" in solution) return killers.length === 0 ? "equivalent" : "only";
      if ("gaveUp" in solution) why = solution.gaveUp;
      else if (!filler.tryInstance(mutant, solution.found, byNode) && !filler.isolate(mutant, solution.found, byNode))
        why ??= `every ${otherPrefix()}instance found that kills it breaks ${filler.isSetAside(mutant) ? "other rules" : "several assertions"}`;
    }
    // From another starting point, the search may find an instance that breaks no rule.
    if (countKills() === 0 && !(filler.isSetAside(mutant) && attempt === 0)) break;
  }
  if (countKills() === 1 && neededKills > 1) filler.repeatKill(mutant);
  if (countKills() >= neededKills) return "killed";
  if (filler.needsOversizedInstance(mutant)) return { why: "a distinguishing instance is too large to publish" };
  return { why: why ?? `no ${otherPrefix()}instance that kills it was found` };
}
