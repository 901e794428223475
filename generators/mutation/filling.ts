import type { JsonObject } from "../../schemas/index.ts";
import type { Drafts, Subject } from "../drafts/draft.ts";
import { mayContinue } from "../drafts/work-progress.ts";
import { type EvaluationPlace, places } from "../evaluate/places.ts";
import { workInRounds } from "../model/effort.ts";
import type { Location, Model } from "../model/model.ts";
import { distinguishingInstances } from "./distinguish.ts";
import { Filler } from "./filler.ts";
import { isRedundant } from "./idle-assertions.ts";
import { killsWanted, type Mutant, mutateModel } from "./mutant.ts";
import { mutantsOf } from "./mutants.ts";
import { isMonotonic } from "./polarity.ts";

/** The maximum number of paths to one schema on which a distinguishing value is searched. */
const maxPlaces = 2;

export interface MutantVectors {
  all: Mutant[];
  /** Proven by the solver: no instance distinguishes them from the schema. */
  equivalent: ReadonlySet<Mutant>;
  /** Proven by the solver: one instance distinguishes them from the schema, and no other. */
  only: ReadonlySet<Mutant>;
  /** Mutants that only vectors kill which semantic rules may refuse, so that no target fails for them; with these rules. */
  beyond: ReadonlyMap<Mutant, readonly string[]>;
  /** Why the others are killed too rarely. */
  reasons: ReadonlyMap<Mutant, string>;
  /** Whether there are more mutants than were examined. */
  partial: boolean;
}

/**
 * Adds drafts until two of them kill each mutant, or one if it belongs to another document; or proves that none can. The added drafts obey the same
 * laws as all others: valid, or broken at one site.
 */
export function fill(subject: Subject, schemas: readonly JsonObject[], valid: Drafts, invalid: Drafts): MutantVectors {
  const { model } = subject;
  const isOver = (): boolean => !mayContinue({ stage: "mutants", done: 0, total: 1 }, model, subject.watch);
  const { all, partial } = mutantsOf(model, schemas, subject.elsewhere, isOver);
  const byNode = new Map<Location, EvaluationPlace[]>();
  for (const place of places(model)) {
    const known = byNode.get(place.node) ?? [];
    if (known.length < maxPlaces) byNode.set(place.node, [...known, place]);
  }
  const filler = new Filler(subject, valid, invalid);
  const equivalent = new Set<Mutant>();
  const only = new Set<Mutant>();
  const beyond = new Map<Mutant, readonly string[]>();
  const reasons = new Map<Mutant, string>();
  const total = all.length;
  const tried = workInRounds(
    all,
    model.effort,
    (done) => mayContinue({ stage: "mutants", done, total }, model, subject.watch),
    (mutant) => {
      // Mutants that a few instances kill together do not need separate vectors.
      if (mutant.fine === true && mutant.soon !== true) filler.pack();
      const outcome = followsFromEquivalent(model, mutant, equivalent)
        ? "equivalent"
        : killMutant(filler, model, mutant, byNode);
      reasons.delete(mutant);
      if (outcome === "equivalent") equivalent.add(mutant);
      else if (outcome === "only") only.add(mutant);
      else if (outcome !== "killed") reasons.set(mutant, outcome.why);
      const rules =
        outcome !== "equivalent" && filler.killers(mutant).length === 0 ? filler.undecided(mutant) : undefined;
      if (rules !== undefined) beyond.set(mutant, rules);
    },
  );
  for (const mutant of reasons.keys()) {
    if (isOver()) break;
    if (isRemoval(mutant) && filler.killers(mutant).length === 0 && isRedundant(model, mutant.site))
      equivalent.add(mutant);
  }
  for (const mutant of equivalent) reasons.delete(mutant);
  return { all: all.slice(0, tried), equivalent, only, beyond, reasons, partial: partial || tried < total };
}

/** Whether the mutant is equivalent because the same mistake in all places is. */
function followsFromEquivalent(model: Model, { of, effect }: Mutant, equivalent: ReadonlySet<Mutant>): boolean {
  if (of === undefined || effect === "other" || !equivalent.has(of)) return false;
  const touched = of.nodes.map(({ location }) => location);
  return isMonotonic(mutateModel(model, of), touched);
}

/** Whether the mistake only leaves out one assertion. */
function isRemoval({ edits: [edit, ...others], site }: Mutant): boolean {
  return edit !== undefined && edit.at === site && edit.value === undefined && others.length === 0;
}

/** Indexes of vectors with different values, near which another kill is searched. */
const checkpoints = [0, 1, 2, 5, 8, 13, 21, 34];

/** Tries to kill a mutant as often as needed. Returns the result, or the reason for a failure. */
function killMutant(
  filler: Filler,
  model: Model,
  mutant: Mutant,
  byNode: ReadonlyMap<Location, EvaluationPlace[]>,
): "killed" | "equivalent" | "only" | { why: string } {
  const enough = killsWanted(mutant);
  const kills = () => filler.killers(mutant).length;
  const other = () => (kills() > 0 ? "other " : "");
  for (const { location } of mutant.nodes)
    for (const place of byNode.get(location) ?? []) if (kills() < enough) filler.tryAtPlace(mutant, place);
  if (kills() === 1 && enough > 1) filler.repeatKill(mutant);
  let why: string | undefined;
  const near = filler.nearbyInstances();
  for (const [tried, index] of checkpoints.entries()) {
    const hint = near[index];
    if (hint === undefined) break;
    const known = filler.killers(mutant);
    if (known.length >= enough) return "killed";
    for (const solution of distinguishingInstances(model, mutant, {
      hint,
      limit: enough,
      known: known.map(({ data }) => data),
    })) {
      if ("none" in solution) return known.length === 0 ? "equivalent" : "only";
      if ("gaveUp" in solution) why = solution.gaveUp;
      else if (!filler.tryInstance(mutant, solution.found, byNode) && !filler.isolate(mutant, solution.found, byNode))
        why ??= `every ${other()}instance found that kills it breaks ${filler.isAside(mutant) ? "other rules" : "several assertions"}`;
    }
    // Near another instance there may be a vector that breaks no rule.
    if (kills() === 0 && !(filler.isAside(mutant) && tried === 0)) break;
  }
  if (kills() === 1 && enough > 1) filler.repeatKill(mutant);
  if (kills() >= enough) return "killed";
  if (filler.asksTooMuch(mutant)) return { why: "a distinguishing instance is too large to publish" };
  return { why: why ?? `no ${other()}instance that kills it was found` };
}
