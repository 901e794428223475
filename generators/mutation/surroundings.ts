import { type Change, equal, isObject, type Json, pointer } from "../../schemas/index.ts";
import { changeBetween, leastChanges } from "../changes/difference.ts";
import type { Draft } from "../drafts/draft.ts";

/** Finds the valid instance from which the fewest changes lead to the given one. */
export function nearestInstance(valid: readonly Draft[], data: Json): Json | undefined {
  let nearest: { data: Json; size: number } | undefined;
  for (const draft of valid) {
    if (nearest !== undefined && leastChanges(draft.data, data) >= nearest.size) continue;
    const change = changeBetween(draft.data, data);
    // A change of the whole instance does not describe the difference.
    const size = change.some(({ path }) => path === "") ? Number.POSITIVE_INFINITY : change.length;
    if (nearest === undefined || size < nearest.size) nearest = { data: draft.data, size };
    if (size === 1) break;
  }
  return nearest?.data;
}

/** The maximum number of instances in which a change is repeated. */
const maxInstances = 60;

/** Lists valid instances, other than the draft's own parent, that contain the object at which its change applies. */
export function otherInstances(valid: readonly Draft[], source: Draft): Json[] {
  const ownParent = source.parent?.data ?? source.data;
  const holder = source.at.slice(0, Math.max(0, source.at.lastIndexOf("/")));
  const candidates = valid.filter(({ data }) => !equal(data, ownParent) && pointer.has(holder, data));
  return candidates.slice(0, maxInstances).map(({ data }) => data);
}

/** Lists members that other valid instances have at the top level and this one lacks, as additions. */
export function memberAdditions(valid: readonly Draft[], source: Draft): Change[][] {
  if (!isObject(source.data)) return [];
  const present = source.data;
  const additions = new Map<string, Json>();
  for (const { data } of valid) {
    if (!isObject(data)) continue;
    for (const [name, value] of Object.entries(data))
      if (!Object.hasOwn(present, name) && !additions.has(name)) additions.set(name, value);
  }
  return [...additions].map(([name, value]) => [{ op: "add", path: pointer.append("", name), value }]);
}
