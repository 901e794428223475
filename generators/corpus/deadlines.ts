import { type Change, type Document, type Json, pointer, type Vector, type VectorKind } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import { postponeTime } from "../formats/future-times.ts";

/** Lists locations of future times in a document: the fresh values with a positive `offset` in seconds. */
export function deadlinesOf({ fresh = [] }: Document): string[] {
  return fresh.filter(({ in: place, offset = 0 }) => place === undefined && offset > 0).map(({ at }) => at);
}

/** Moves deadlines by whole centuries, in instances, changes and descriptions, so that no implementation refuses a vector because it is old. */
export function postponeDeadlines(
  document: Document,
  vectorsByKind: Readonly<Record<VectorKind, Vector[]>>,
): Record<VectorKind, Vector[]> {
  const places = deadlinesOf(document);
  const postpone = (vector: Vector): Vector => {
    const change = vector.change?.map((operation) => moveChange(operation, places));
    return {
      ...vector,
      description: rewordDescription(vector.description, vector.change ?? [], change ?? []),
      ...(vector.data === undefined ? {} : { data: valueWithin(vector.data, "", places) }),
      ...(change === undefined ? {} : { change }),
    };
  };
  if (places.length === 0) return vectorsByKind;
  return Object.fromEntries(
    Object.entries(vectorsByKind).map(([kind, vectors]) => [kind, vectors.map(postpone)]),
  ) as typeof vectorsByKind;
}

function moveChange(change: Change, places: readonly string[]): Change {
  return "value" in change ? { ...change, value: valueWithin(change.value as Json, change.path, places) } : change;
}

/** Updates the values that a description quotes. */
function rewordDescription(description: string, before: readonly Change[], after: readonly Change[]): string {
  return before.reduce((text, change, index) => {
    const moved = after[index];
    if (!("value" in change) || moved === undefined || !("value" in moved)) return text;
    if (typeof change.value !== "string") return text;
    return text.replaceAll(JSON.stringify(change.value), JSON.stringify(moved.value));
  }, description);
}

/** Moves the deadlines in the value at a location of the document. */
function valueWithin(value: Json, at: string, places: readonly string[]): Json {
  return places.reduce((whole, place) => {
    if (place === at) return postponeTime(whole);
    if (!place.startsWith(`${at}/`)) return whole;
    const relativePath = place.slice(at.length);
    const deadline = pointer.at(relativePath, whole);
    const postponed = deadline === undefined ? undefined : postponeTime(deadline);
    if (postponed === undefined || postponed === deadline) return whole;
    return applyChanges(whole, [{ op: "replace", path: relativePath, value: postponed }]) ?? whole;
  }, value);
}
