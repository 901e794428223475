import { isObject, type Json, pointer } from "../../../schemas/index.ts";

/** The pointers come from a profile: they are few, and the same for every instance. */
const parsedPointers = new Map<string, string[]>();

/** A copy of the root with another value at that location; the same root if nothing is there or nothing changes. Parts off the path are shared with the original, which is not changed. */
export function replaceValueAt(root: Json, at: string, change: (value: Json) => Json): Json {
  let path = parsedPointers.get(at);
  if (path === undefined) {
    path = pointer.segments(at);
    parsedPointers.set(at, path);
  }
  return replaceAt(root, path, 0, change);
}

function replaceAt(value: Json, path: readonly string[], depth: number, change: (value: Json) => Json): Json {
  const segment = path[depth];
  if (segment === undefined) return change(value);
  if (!(isObject(value) || Array.isArray(value)) || !Object.hasOwn(value, segment)) return value;
  const members = value as Record<string, Json>;
  const was = members[segment] as Json;
  const now = replaceAt(was, path, depth + 1, change);
  if (now === was) return value;
  // Spreading keeps members with any name, even `__proto__`.
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, Json>;
  copy[segment] = now;
  return copy;
}
