import { isObject, type Json, pointer } from "../../../schemas/index.ts";

/** A cache that needs no limit: the pointers come from a profile, so they are few. */
const parsedPointers = new Map<string, string[]>();

/** Replaces the value at a location in a copy of the root. Returns the root itself if nothing is there or nothing changes. The copy shares all other parts with the original. */
export function replaceValueAt(root: Json, location: string, change: (value: Json) => Json): Json {
  let path = parsedPointers.get(location);
  if (path === undefined) {
    path = pointer.segments(location);
    parsedPointers.set(location, path);
  }
  return replaceAt(root, path, 0, change);
}

function replaceAt(value: Json, path: readonly string[], depth: number, change: (value: Json) => Json): Json {
  const segment = path[depth];
  if (segment === undefined) return change(value);
  if (!(isObject(value) || Array.isArray(value)) || !Object.hasOwn(value, segment)) return value;
  const members = value as Record<string, Json>;
  const oldValue = members[segment] as Json;
  const newValue = replaceAt(oldValue, path, depth + 1, change);
  if (newValue === oldValue) return value;
  // Spreading keeps members with any name, even `__proto__`.
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, Json>;
  copy[segment] = newValue;
  return copy;
}
