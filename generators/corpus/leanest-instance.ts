import { isObject, type Json, pointer } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import type { Subject } from "../drafts/draft.ts";
import { isValid } from "../evaluate/evaluate.ts";

/** The maximum number of members that are removed on trial. */
const maxRemovals = 300;

/**
 * Removes each member that an instance does not need, outermost first. The solver adds members to make a condition false even if leaving them out would do
 * the same. Members that other rules need stay.
 */
export function removeUnneeded({ model, breaches = () => [] }: Subject, instance: Json): Json {
  const brokenRules = breaches(instance).length;
  let smallest = instance;
  for (const member of membersOf(instance, "").slice(0, maxRemovals)) {
    const candidate = pointer.has(member, smallest)
      ? applyChanges(smallest, [{ op: "remove", path: member }])
      : undefined;
    if (candidate !== undefined && isValid(model, candidate) && breaches(candidate).length <= brokenRules)
      smallest = candidate;
  }
  return smallest;
}

function partsOf(value: Json): [key: string | number, part: Json][] {
  if (Array.isArray(value)) return [...value.entries()];
  return isObject(value) ? Object.entries(value) : [];
}

/** Lists pointers to the members of all objects, outermost first. */
function membersOf(value: Json, at: string): string[] {
  const members = partsOf(value).map(([key, part]) => [pointer.append(at, key), part] as const);
  return [
    ...(isObject(value) ? members.map(([path]) => path) : []),
    ...members.flatMap(([path, part]) => membersOf(part, path)),
  ];
}
