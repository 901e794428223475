import { type Change, isObject, type Json } from "../../schemas/index.ts";
import { patched } from "../changes/patch.ts";
import type { Subject } from "../drafts/draft.ts";
import { repair } from "../drafts/repair.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import type { Location } from "../model/model.ts";

/** An instance that may kill a mutant, and what would be said of it as a vector. */
export interface Offer {
  place: EvaluationPlace;
  site: Location;
  at: string;
  parent: Json;
  data: Json;
  name: string[];
  change: Change[];
}

/** So many samples are asked for members. */
const mostSamples = 4;

/**
 * The offer with as few breaches of rules that bind beside its fault as can be had: in a parent that is repaired, and without changes
 * that break such a rule and are not needed. Who keeps all rules refuses any other for the wrong reason, and the mistake stays hidden.
 */
export function upheld(subject: Subject, offer: Offer, isNew: (data: Json) => boolean): Offer {
  const { model } = subject;
  const held = (of: Offer, parent: Json, change: Change[]): Offer => {
    const data = patched(parent, change);
    if (data === undefined || broken(subject, data) >= broken(subject, of.data)) return of;
    return isNew(data) && !isValid(model, data) ? { ...of, parent, data, change } : of;
  };
  let best = offer;
  if (broken(subject, offer.parent) > 0)
    best = held(best, repair(subject, offer.place, offer.parent, offer.at), offer.change);
  if (broken(subject, best.data) === 0) return best;
  for (const each of offer.change) {
    const fewer = best.change.filter((change) => change !== each);
    if (fewer.length > 0) best = held(best, best.parent, fewer);
  }
  // An instance that is replaced as a whole may lack members that its parent or a sample has.
  const donors = isWhole(best.change) ? [best.parent, ...subject.samples.slice(0, mostSamples)] : [];
  for (const [name, value] of donors.flatMap((each) => (isObject(each) ? Object.entries(each) : []))) {
    const { data } = best;
    if (!isObject(data) || Object.hasOwn(data, name) || name === "__proto__") continue;
    best = held(best, best.parent, [{ op: "replace", path: "", value: { ...data, [name]: value } }]);
  }
  return best;
}

function isWhole([first, ...rest]: readonly Change[]): boolean {
  return first?.op === "replace" && first.path === "" && rest.length === 0;
}

/** Instances that keep the rules that bind before the others. */
export function uprightFirst(subject: Subject, instances: readonly Json[]): Json[] {
  const isUpright = (each: Json): boolean => broken(subject, each) === 0;
  return [...instances.filter(isUpright), ...instances.filter((each) => !isUpright(each))];
}

/** How many rules that bind an instance breaks. */
function broken({ breaches, grave }: Subject, data: Json): number {
  return breaches?.(data).filter((rule) => grave?.has(rule) !== false).length ?? 0;
}
