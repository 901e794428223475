import { isObject, type Json, pointer } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import type { Subject } from "../drafts/draft.ts";
import { isValid } from "../evaluate/evaluate.ts";

/** The maximum number of members that are removed on trial. */
const maxInstances = 300;

/**
 * Removes each member that an instance does not need, outermost first. The solver adds members to make a condition false even if leaving them out would do
 * the same. Members that other rules need stay.
 */
export function removeNeedless({ model, breaches = () => [] }: Subject, instance: Json): Json {
  const brokenRules = breaches(instance).length;
  let smallest = instance;
  for (const member of membersOf(instance, "").slice(0, maxInstances)) {
    const candidate = pointer.has(member, smallest)
      ? applyChanges(smallest, [{ op: "remove", path: member }])
      : undefined;
    if (candidate !== undefined && isValid(model, candidate) && breaches(candidate).length <= brokenRules)
      smallest = candidate;
  }
  return smallest;
}

/** Pointers to the members of all objects, outermost first. */
function membersOf(value: Json, at: string): string[] {
  const parts = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  const below = parts.map(([key, part]) => [pointer.append(at, key), part] as const);
  return [
    ...(isObject(value) ? below.map(([path]) => path) : []),
    ...below.flatMap(([path, part]) => membersOf(part, path)),
  ];
}
