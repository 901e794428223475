import { isObject, type Json, pointer } from "../../schemas/index.ts";
import { isValid } from "../model/evaluate.ts";
import type { Subject } from "./draft.ts";
import { patched } from "./patch.ts";

/** More than any instance needs; it bounds the work on large ones. */
const mostTried = 80;

/**
 * The instance with values of a sample, as few as it takes to keep the rules beyond the schema that it breaks, or fewer of them. What
 * lies at the location stays as it is. So a vector is about one thing also for those who keep all rules.
 */
export function healed({ model, samples, breaches }: Subject, instance: Json, kept: string): Json {
  let broken = breaches?.(instance) ?? 0;
  let best = instance;
  for (const sample of samples) {
    const changes = [...differences(best, sample, "", kept)].slice(0, mostTried);
    for (const { at, value, op } of changes) {
      if (broken === 0) return best;
      const changed = patched(best, [{ op, path: at, value }]);
      if (changed === undefined || !isValid(model, changed)) continue;
      const still = breaches?.(changed) ?? 0;
      if (still < broken) [best, broken] = [changed, still];
    }
  }
  return best;
}

interface Difference {
  op: "add" | "replace";
  at: string;
  value: Json;
}

/** What the sample has that the instance lacks, then what it has otherwise; nothing around, at or inside of the location to keep. */
function* differences(instance: Json, sample: Json, at: string, kept: string): Generator<Difference> {
  if (kept !== "" && at === kept) return;
  const holdsKept = kept === "" ? at === "" : kept.startsWith(`${at}/`);
  if (isObject(instance) && isObject(sample)) {
    for (const [name, value] of Object.entries(sample))
      if (!Object.hasOwn(instance, name)) yield { op: "add", at: pointer.append(at, name), value };
    for (const [name, value] of Object.entries(sample))
      if (Object.hasOwn(instance, name))
        yield* differences(instance[name] as Json, value, pointer.append(at, name), kept);
    return;
  }
  if (Array.isArray(instance) && Array.isArray(sample)) {
    for (const [index, value] of instance.entries())
      if (index < sample.length) yield* differences(value, sample[index] as Json, `${at}/${index}`, kept);
  }
  if (!holdsKept && JSON.stringify(instance) !== JSON.stringify(sample)) yield { op: "replace", at, value: sample };
}
