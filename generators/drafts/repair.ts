import { type Change, isObject, type Json, pointer } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import type { Keyword } from "../model/model.ts";
import type { Subject } from "./draft.ts";
import { locate, nearestSamples } from "./reach.ts";

/** The maximum number of changes tried. No known instance needs as many. */
const maxTried = 24;

/** The maximum number of samples adopted as a whole, and of values adopted together. */
const maxSamples = 4;
const maxTogether = 120;

/** The weight of a binding rule. No number of advisory rules, of weight 1, outweighs it. */
const bindingWeight = 1000;

/**
 * Repairs an instance that breaks semantic rules, with as few values from samples as possible, so that a vector has one fault even for readers that
 * enforce all rules. Some rules may remain broken. The part at the location `kept` does not change, and the condition `stays` remains true. The result
 * must satisfy `fits`: by default the schema, or another condition if a fault has to stay.
 */
export function repair(
  { model, samples, examples = [], otherExamples = [], breaches, binding }: Subject,
  place: EvaluationPlace,
  {
    instance,
    kept,
    stays = () => true,
    fits = (changed) => isValid(model, changed),
  }: { instance: Json; kept: string; stays?: (changed: Json) => boolean; fits?: (changed: Json) => boolean },
): Json {
  if (breaches === undefined) return instance;
  const weigh = (rules: readonly string[]): number =>
    rules.reduce((sum, rule) => sum + (binding?.has(rule) === false ? 1 : bindingWeight), 0);
  const brokenRules = breaches(instance);
  if (brokenRules.length === 0) return instance;
  // Most changes repair nothing, so the broken rules are checked first.
  const weighIfAllowed = (changed: Json, among: readonly string[], maxWeight: number): number =>
    weigh(breaches(changed, among)) < maxWeight && fits(changed) && stays(changed)
      ? weigh(breaches(changed))
      : Number.POSITIVE_INFINITY;
  const nearest = nearestSamples(model, place, samples);
  let best = { data: instance, weight: weigh(brokenRules) };
  const tryChanges = (changes: readonly Change[]): typeof best | undefined => {
    const data = applyChanges(best.data, changes);
    if (data === undefined) return undefined;
    const weight = weighIfAllowed(data, brokenRules, best.weight);
    return weight < best.weight ? { data, weight } : undefined;
  };
  const samplesWithValue = samplesWithSameValue(kept, instance, [...examples, ...otherExamples]);
  for (const group of [nearest, samplesWithValue]) {
    let triedCount = 0;
    for (const change of group.flatMap((sample) => [...differences(best.data, sample, "", kept)])) {
      if (best.weight === 0 || triedCount === maxTried) break;
      best = tryChanges([change]) ?? best;
      triedCount += 1;
    }
  }
  const isHarmless = (change: Change): boolean => {
    const changed = applyChanges(best.data, [change]);
    return changed !== undefined && fits(changed) && stays(changed);
  };
  // A rule may require several members together.
  for (const sample of [...samplesWithValue, ...nearest.slice(0, maxSamples)]) {
    if (best.weight === 0) break;
    const changes = [...differences(best.data, sample, "", kept)].slice(0, maxTogether);
    const combined = tryChanges(changes);
    if (combined !== undefined) {
      best = reduceChanges(changes, tryChanges, combined);
      continue;
    }
    // If no location is kept, the fault may be at a difference from the sample.
    const harmless = kept === "" ? changes.filter((change) => isHarmless(change)) : changes;
    const reduced = harmless.length < changes.length ? tryChanges(harmless) : undefined;
    if (reduced !== undefined) best = reduceChanges(harmless, tryChanges, reduced);
  }
  return best.data;
}

/** Picks some of the samples with the same value at a location. They are the best context for that value. */
function samplesWithSameValue(location: string, instance: Json, samples: readonly Json[]): Json[] {
  const text = JSON.stringify(pointer.at(location, instance));
  return samples
    .filter((sample) => location !== "" && JSON.stringify(pointer.at(location, sample)) === text)
    .slice(0, maxSamples);
}

interface WeighedInstance {
  data: Json;
  weight: number;
}

/** Finds an equally good result with as few changes as possible. Tries to omit each change, the last first. */
function reduceChanges(
  changes: readonly Change[],
  tryChanges: (changes: readonly Change[]) => WeighedInstance | undefined,
  start: WeighedInstance,
): WeighedInstance {
  let [remaining, best] = [changes, start];
  for (const change of [...changes].reverse()) {
    const fewerChanges = remaining.filter((operation) => operation !== change);
    const reduced = tryChanges(fewerChanges);
    if (reduced !== undefined && reduced.weight <= best.weight) [remaining, best] = [fewerChanges, reduced];
  }
  return best;
}

/** Repairs an instance such that the keyword still applies at the same location. */
export function repairFor(
  subject: Subject,
  place: EvaluationPlace,
  { keyword, instance, at }: { keyword: Keyword; instance: Json; at: string },
): Json {
  const stays = (changed: Json): boolean => locate(subject.model, place, keyword, changed) === at;
  const repaired = repair(subject, place, { instance, kept: at, stays });
  const { breaches, binding } = subject;
  const breaksBindingRule = breaches?.(repaired).some((rule) => binding?.has(rule) !== false) === true;
  // A keyword of a list or an object does not concern its content, so the content may change.
  return breaksBindingRule && typeof pointer.at(at, instance) === "object"
    ? repair(subject, place, { instance: repaired, kept: "", stays })
    : repaired;
}

/** Changes towards a sample: members that only the sample has, then different ones, then those that only the instance has. Nothing changes at the kept location. */
function* differences(instance: Json, sample: Json, at: string, kept: string): Generator<Change> {
  if (kept !== "" && at === kept) return;
  const containsKept = kept === "" ? at === "" : kept.startsWith(`${at}/`);
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
    // An item with no counterpart in the sample is compared with the sample's last one.
    for (const [index, value] of instance.entries())
      if (sample.length > 0)
        yield* differences(value, sample[Math.min(index, sample.length - 1)] as Json, `${at}/${index}`, kept);
  }
  if (!containsKept && JSON.stringify(instance) !== JSON.stringify(sample))
    yield { op: "replace", path: at, value: sample };
}
