import type { Change, Json } from "../../schemas/index.ts";
import { changeBetween } from "../changes/difference.ts";
import { applyChanges } from "../changes/patch.ts";
import { countBindingBreaches, type Subject } from "../drafts/draft.ts";
import { repair } from "../drafts/repair.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import type { Location } from "../model/model.ts";

/** An instance that may kill a mutant, and its description as a vector. */
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
 * The offer with as few broken binding rules beside its fault as possible: its parent is repaired, and unnecessary changes that break a rule are left out.
 * Otherwise an implementation that enforces all rules would refuse it for another reason, and the mistake would stay hidden.
 */
export function reduceBreaches(subject: Subject, offer: KillOffer, isNew: (data: Json) => boolean): KillOffer {
  const { model } = subject;
  const improveOffer = (of: KillOffer, parent: Json, change: Change[]): KillOffer => {
    const data = applyChanges(parent, change);
    if (data === undefined || countBindingBreaches(subject, data) >= countBindingBreaches(subject, of.data)) return of;
    return isNew(data) && !isValid(model, data) ? { ...of, parent, data, change } : of;
  };
  let best = offer;
  if (countBindingBreaches(subject, offer.parent) > 0)
    best = improveOffer(best, repair(subject, offer.place, { instance: offer.parent, kept: offer.at }), offer.change);
  if (countBindingBreaches(subject, best.data) === 0) return best;
  const parts = offer.change.length === 1 ? changeBetween(best.parent, best.data) : offer.change;
  let remaining = parts;
  for (const part of parts) {
    const fewer = remaining.filter((change) => change !== part);
    const without = fewer.length > 0 ? improveOffer(best, best.parent, fewer) : best;
    if (without !== best) [best, remaining] = [without, fewer];
  }
  // Another message may already contain the rest of the change.
  for (const sample of parts.length > 1 ? subject.samples : [])
    for (const part of parts)
      if (countBindingBreaches(subject, best.data) > 0) best = improveOffer(best, sample, [part]);
  const isFaulty = (changed: Json): boolean => !isValid(model, changed);
  // The part at the fault is changed only if nothing else helps and the fault stays.
  for (const kept of [best.at, ""]) {
    if (countBindingBreaches(subject, best.data) === 0) return best;
    const repaired = repair(subject, best.place, { instance: best.data, kept, stays: isNew, fits: isFaulty });
    best = improveOffer(best, best.parent, changeBetween(best.parent, repaired));
  }
  return best;
}

/** Instances that break no binding rule come before the others. */
export function rightFirst(subject: Subject, instances: readonly Json[]): Json[] {
  const isRight = (each: Json): boolean => countBindingBreaches(subject, each) === 0;
  return [...instances.filter(isRight), ...instances.filter((instance) => !isRight(instance))];
}
