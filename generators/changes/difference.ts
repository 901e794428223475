import { createPatch } from "rfc6902";
import { type Change, equal, isObject, type Json, pointer } from "../../schemas/index.ts";
import { applyChanges } from "./patch.ts";

/** Computes the JSON Patch (RFC 6902) from one value to another, as small as the library finds it. The library cannot add a member named `__proto__`, so an object that gets one is replaced. */
export function changeBetween(from: Json, to: Json): Change[] {
  const changes: Change[] = createPatch(from, to);
  const holders = new Set(changes.flatMap(({ path }) => prototypeHolder(path) ?? []));
  if (holders.size === 0) return changes;
  const isWithin = (path: string, at: string): boolean => path === at || path.startsWith(`${at}/`);
  const outermost = [...holders].filter(
    (holder) => ![...holders].some((other) => other !== holder && isWithin(holder, other)),
  );
  const rest = changes.filter(({ path }) => !outermost.some((at) => isWithin(path, at)));
  const replacements = outermost.map((path): Change => ({ op: "replace", path, value: pointer.at(path, to) as Json }));
  const result = applyChanges(from, [...rest, ...replacements]);
  // If a change inserts or removes items, a replaced object may be at another index.
  return result !== undefined && equal(result, to)
    ? [...rest, ...replacements]
    : [{ op: "replace", path: "", value: to }];
}

/** Returns the object with a member named `__proto__`, if a location leads through one. */
function prototypeHolder(path: string): string | undefined {
  const index = `${path}/`.indexOf("/__proto__/");
  return index < 0 ? undefined : path.slice(0, index);
}

/** Computes a lower bound on the number of changes from one value to another. Far faster than finding them. */
export function leastChanges(from: Json, to: Json): number {
  if (from === to) return 0;
  if (Array.isArray(from) && Array.isArray(to))
    return Math.max(Math.abs(from.length - to.length), equal(from, to) ? 0 : 1);
  if (!isObject(from) || !isObject(to)) return 1;
  if (Object.hasOwn(from, "__proto__") || Object.hasOwn(to, "__proto__")) return equal(from, to) ? 0 : 1;
  let count = 0;
  for (const name of Object.keys(from))
    count += Object.hasOwn(to, name) ? leastChanges(from[name] as Json, to[name] as Json) : 1;
  for (const name of Object.keys(to)) if (!Object.hasOwn(from, name)) count += 1;
  return count;
}

/** Returns the change of one part, if only that part of a value changes; otherwise the given change. */
export function smallerChange(change: Change[], before: Json | undefined, after: Json, at: string): Change[] {
  if (before === undefined || typeof before !== "object" || before === null) return change;
  const parts = changeBetween(before, after).map((part) => ({ ...part, path: `${at}${part.path}` }) as Change);
  return parts.length === 1 ? parts : change;
}
