import { type Change, isObject, type Json, pointer } from "../../schemas/index.ts";
import { patched } from "../changes/patch.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { Place } from "../evaluate/places.ts";
import type { Keyword } from "../model/model.ts";
import type { Subject } from "./draft.ts";
import { locate, nearest } from "./reach.ts";

/** More than any instance needs; it bounds the work on large ones. */
const mostTried = 24;

/** No number of rules that only advise outweighs one that binds. */
const graveWeight = 1000;

/**
 * The instance with values of a sample, as few as it takes to keep the rules beyond the schema that it breaks, or fewer of them. What
 * lies at the location stays as it is. So a vector is about one thing also for those who keep all rules.
 */
export function healed({ model, samples, breaches, grave }: Subject, place: Place, instance: Json, kept: string): Json {
  if (breaches === undefined) return instance;
  const weight = (rules: readonly string[]): number =>
    rules.reduce((sum, rule) => sum + (grave?.has(rule) === false ? 1 : graveWeight), 0);
  let broken = breaches(instance);
  let best = instance;
  let tried = 0;
  for (const sample of broken.length === 0 ? [] : nearest(model, place, samples)) {
    for (const change of differences(best, sample, "", kept)) {
      const changed = patched(best, [change]);
      // Most changes mend nothing, which the rules that are broken tell by themselves.
      if (changed !== undefined && weight(breaches(changed, broken)) < weight(broken) && isValid(model, changed)) {
        const still = breaches(changed);
        if (weight(still) < weight(broken)) [best, broken] = [changed, still];
      }
      tried += 1;
      if (broken.length === 0 || tried === mostTried) return best;
    }
  }
  return best;
}

/** The same, if the keyword is met at the same location afterwards. */
export function mended(subject: Subject, place: Place, keyword: Keyword, instance: Json, at: string): Json {
  const whole = healed(subject, place, instance, at);
  return locate(subject.model, place, keyword, whole) === at ? whole : instance;
}

/** What the sample has and the instance lacks, what it has otherwise, and what it lacks; nothing around, at or inside of the location to keep. */
function* differences(instance: Json, sample: Json, at: string, kept: string): Generator<Change> {
  if (kept !== "" && at === kept) return;
  const holdsKept = kept === "" ? at === "" : kept.startsWith(`${at}/`);
  if (isObject(instance) && isObject(sample)) {
    for (const [name, value] of Object.entries(sample))
      if (!Object.hasOwn(instance, name)) yield { op: "add", path: pointer.append(at, name), value };
    for (const [name, value] of Object.entries(sample))
      if (Object.hasOwn(instance, name))
        yield* differences(instance[name] as Json, value, pointer.append(at, name), kept);
    for (const path of Object.keys(instance).map((name) => pointer.append(at, name)))
      if (!pointer.has(path.slice(at.length), sample) && path !== kept && !kept.startsWith(`${path}/`))
        yield { op: "remove", path };
    return;
  }
  if (Array.isArray(instance) && Array.isArray(sample)) {
    for (const [index, value] of instance.entries())
      if (index < sample.length) yield* differences(value, sample[index] as Json, `${at}/${index}`, kept);
  }
  if (!holdsKept && JSON.stringify(instance) !== JSON.stringify(sample))
    yield { op: "replace", path: at, value: sample };
}
