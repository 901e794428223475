import type { Change, Json } from "../../schemas/index.ts";
import { changeBetween } from "../changes/difference.ts";
import { applyChanges } from "../changes/patch.ts";
import { countBindingBreaches, type Subject } from "../drafts/draft.ts";
import { repair } from "../drafts/repair.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import type { Location } from "../model/model.ts";

/** An instance that may kill a mutant, with the parts of a draft. */
export interface KillOffer {
  place: EvaluationPlace;
  site: Location;
  at: string;
  parent: Json;
  data: Json;
  name: string[];
  change: Change[];
}

/**
 * Makes an offer break fewer binding rules besides its fault: repairs its parent, and leaves out unnecessary changes that break a rule. Otherwise an
 * implementation that enforces all rules would refuse it for another reason, and the mistake would stay hidden.
 */
export function reduceBreaches(subject: Subject, offer: KillOffer, isNew: (data: Json) => boolean): KillOffer {
  const { model } = subject;
  const improveOffer = (base: KillOffer, parent: Json, change: Change[]): KillOffer => {
    const data = applyChanges(parent, change);
    if (data === undefined || countBindingBreaches(subject, data) >= countBindingBreaches(subject, base.data))
      return base;
    return isNew(data) && !isValid(model, data) ? { ...base, parent, data, change } : base;
  };
  let bestOffer = offer;
  if (countBindingBreaches(subject, offer.parent) > 0)
    bestOffer = improveOffer(
      bestOffer,
      repair(subject, offer.place, { instance: offer.parent, kept: offer.at }),
      offer.change,
    );
  if (countBindingBreaches(subject, bestOffer.data) === 0) return bestOffer;
  const parts = offer.change.length === 1 ? changeBetween(bestOffer.parent, bestOffer.data) : offer.change;
  let remainingChanges = parts;
  for (const part of parts) {
    const fewerChanges = remainingChanges.filter((change) => change !== part);
    const reduced = fewerChanges.length > 0 ? improveOffer(bestOffer, bestOffer.parent, fewerChanges) : bestOffer;
    if (reduced !== bestOffer) [bestOffer, remainingChanges] = [reduced, fewerChanges];
  }
  // One change may be enough in another message.
  for (const sample of parts.length > 1 ? subject.samples : [])
    for (const part of parts)
      if (countBindingBreaches(subject, bestOffer.data) > 0) bestOffer = improveOffer(bestOffer, sample, [part]);
  const isInvalid = (changed: Json): boolean => !isValid(model, changed);
  // The part with the fault is repaired only as a last resort, and only if the fault remains.
  for (const kept of [bestOffer.at, ""]) {
    if (countBindingBreaches(subject, bestOffer.data) === 0) return bestOffer;
    const repaired = repair(subject, bestOffer.place, {
      instance: bestOffer.data,
      kept,
      stays: isNew,
      fits: isInvalid,
    });
    bestOffer = improveOffer(bestOffer, bestOffer.parent, changeBetween(bestOffer.parent, repaired));
  }
  return bestOffer;
}

/** Sorts instances that break no binding rule before the others. */
export function sortByBreaches(subject: Subject, instances: readonly Json[]): Json[] {
  const keepsRules = (instance: Json): boolean => countBindingBreaches(subject, instance) === 0;
  return [...instances.filter(keepsRules), ...instances.filter((instance) => !keepsRules(instance))];
}
