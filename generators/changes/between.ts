import { createPatch } from "rfc6902";
import { type Change, equal, isObject, type Json } from "../../schemas/index.ts";

/** The JSON Patch (RFC 6902) from one value to another, as small as the library finds it. */
export function changeBetween(from: Json, to: Json): Change[] {
  return createPatch(from, to);
}

/** So many changes at least lead from one value to another. Takes far less time than to find them. */
export function leastChanges(from: Json, to: Json): number {
  if (from === to) return 0;
  if (Array.isArray(from) && Array.isArray(to))
    return Math.max(Math.abs(from.length - to.length), equal(from, to) ? 0 : 1);
  if (!isObject(from) || !isObject(to)) return 1;
  let count = 0;
  for (const name of Object.keys(from))
    count += Object.hasOwn(to, name) ? leastChanges(from[name] as Json, to[name] as Json) : 1;
  for (const name of Object.keys(to)) if (!Object.hasOwn(from, name)) count += 1;
  return count;
}

/** Where only a part of a value changes, the change of that part. */
export function smaller(change: Change[], before: Json | undefined, after: Json, at: string): Change[] {
  if (before === undefined || typeof before !== "object" || before === null) return change;
  const parts = changeBetween(before, after).map((part) => ({ ...part, path: `${at}${part.path}` }) as Change);
  return parts.length === 1 ? parts : change;
}
