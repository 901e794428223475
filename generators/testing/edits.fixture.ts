import fc from "fast-check";
import { isObject, type Json, type JsonObject, pointer, setMember } from "../../schemas/index.ts";

// For tests: random edits of schemas that resemble the edits of human authors.

/** A change of a document. The numbers choose the changed part, the kind of change, and the part from which it copies. */
export type Edit = { part: number; kind: number; source: number };

export const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({ part: fc.nat(10_000), kind: fc.nat(6), source: fc.nat(10_000) }),
  { minLength: 1, maxLength: 4 },
);

/** Lists the JSON Pointers of all keywords and members in a schema, including names in `properties`. */
function partsOf(value: Json, at = ""): string[] {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return inner.flatMap(([name, each]) => {
    const path = pointer.append(at, name);
    return name.startsWith("$") ? [] : [path, ...partsOf(each, path)];
  });
}

/** Moves a number by at most one, and negates a schema. */
function alterPart(part: Json, random: number): Json {
  if (typeof part === "number") return part + 1 - (random % 3);
  return isObject(part) ? { not: part } : part;
}

/** Copies a document with these changes. */
export function applyEdits(document: JsonObject, edits: readonly Edit[]): JsonObject {
  const copy = structuredClone(document);
  for (const { part, kind, source: sourcePart } of edits) {
    const parts = partsOf(copy);
    const path = parts[part % Math.max(1, parts.length)];
    if (path === undefined) continue;
    const { parent, last } = pointer.split(path);
    const holder = pointer.at(parent, copy) as JsonObject | Json[];
    const old = pointer.at(path, copy) as Json;
    // The source may contain the changed part itself.
    const source = structuredClone(pointer.at(parts[sourcePart % parts.length] as string, copy) as Json);
    const changed = [
      undefined,
      alterPart(old, sourcePart),
      typeof old === typeof source ? source : undefined,
      isObject(old) ? { ...old, ...(isObject(source) ? source : {}) } : undefined,
      isObject(old) ? { anyOf: [old, { type: "null" }] } : old,
      isObject(old) ? { if: old, then: isObject(source) ? source : true, else: false } : old,
      Array.isArray(old) ? old.slice(1) : undefined,
    ][kind];
    if (Array.isArray(holder)) holder.splice(Number(last), 1, ...(changed === undefined ? [] : [changed]));
    else if (changed === undefined) delete holder[last];
    else setMember(holder, last, changed);
  }
  return copy;
}
