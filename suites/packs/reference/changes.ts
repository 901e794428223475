import { isObject, type Json, type JsonObject, pointer } from "../../../schemas/index.ts";

/** Makes another message of one. */
export type ReferenceChange = (message: JsonObject) => JsonObject;

/**
 * Changes the value at a JSON Pointer, if there is one, and removes it if the function gives none. `*` means each item or member. Nothing else
 * of the message changes, and the message itself stays as it is.
 */
export function editAt(place: string, change: (value: Json) => Json | undefined): ReferenceChange {
  return changeAt(place, (value) => (value === undefined ? undefined : change(value)));
}

/** Puts a value at a JSON Pointer, in place of any that is there, if the object around it is there. */
export function setAt(place: string, value: Json): ReferenceChange {
  return changeAt(place, () => value);
}

/** Removes the values at some JSON Pointers. */
export function removeAt(...places: string[]): ReferenceChange {
  return (message) => places.reduce((left, place) => editAt(place, () => undefined)(left), message);
}

function changeAt(place: string, change: (value: Json | undefined) => Json | undefined): ReferenceChange {
  const steps = pointer.segments(place);
  return (message) => changedAt(message, steps, change) as JsonObject;
}

function changedAt(
  value: Json | undefined,
  [step, ...rest]: readonly string[],
  change: (value: Json | undefined) => Json | undefined,
): Json | undefined {
  if (step === undefined) return change(value);
  const listChanges = (at: string, item: Json | undefined): Json[] => {
    const changed = step === "*" || step === at ? changedAt(item, rest, change) : item;
    return changed === undefined ? [] : [changed];
  };
  if (Array.isArray(value)) return value.flatMap((item, index) => listChanges(String(index), item));
  if (!isObject(value)) return value;
  const names = step === "*" || Object.hasOwn(value, step) ? Object.keys(value) : [...Object.keys(value), step];
  return Object.fromEntries(
    names.flatMap((name) =>
      listChanges(name, Object.hasOwn(value, name) ? value[name] : undefined).map((changed) => [name, changed]),
    ),
  );
}

/** A text that is written like a number, as that is written shortest; any other value as it is. */
export function shortestNumber(value: Json): Json {
  return typeof value === "string" && /^[\d.]+$/.test(value) ? String(Number(value)) : value;
}

/** A text without the end of its last line; any other value as it is. */
export function withoutLastLineEnd(value: Json): Json {
  return typeof value === "string" ? value.replace(/\n$/, "") : value;
}
