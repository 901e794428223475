import { isObject, type Json, type JsonObject, pointer } from "../../../schemas/index.ts";

/** Makes a changed copy of a message. */
export type ReferenceChange = (message: JsonObject) => JsonObject;

/** Replaces the value at a JSON Pointer, if it exists, by the result of `change`, or removes it if the result is undefined. `*` means each item or member. The original message is unchanged. */
export function editAt(place: string, change: (value: Json) => Json | undefined): ReferenceChange {
  return changeWith(place, (value) => (value === undefined ? undefined : change(value)));
}

/** Sets the value at a JSON Pointer, if the object that contains it exists. */
export function setAt(place: string, value: Json): ReferenceChange {
  return changeWith(place, () => value);
}

/** Removes the values at some JSON Pointers. */
export function removeAt(...places: string[]): ReferenceChange {
  return (message) => places.reduce((changed, place) => editAt(place, () => undefined)(changed), message);
}

function changeWith(place: string, change: (value: Json | undefined) => Json | undefined): ReferenceChange {
  const steps = pointer.segments(place);
  return (message) => applyAt(message, steps, change) as JsonObject;
}

function applyAt(
  value: Json | undefined,
  [step, ...rest]: readonly string[],
  change: (value: Json | undefined) => Json | undefined,
): Json | undefined {
  if (step === undefined) return change(value);
  const changedItems = (name: string, item: Json | undefined): Json[] => {
    const changed = step === "*" || step === name ? applyAt(item, rest, change) : item;
    return changed === undefined ? [] : [changed];
  };
  if (Array.isArray(value)) return value.flatMap((item, index) => changedItems(String(index), item));
  if (!isObject(value)) return value;
  const names = step === "*" || Object.hasOwn(value, step) ? Object.keys(value) : [...Object.keys(value), step];
  return Object.fromEntries(
    names.flatMap((name) =>
      changedItems(name, Object.hasOwn(value, name) ? value[name] : undefined).map((changed) => [name, changed]),
    ),
  );
}

/** Returns a numeric string in its shortest form, and any other value unchanged. */
export function shortestNumber(value: Json): Json {
  return typeof value === "string" && /^[\d.]+$/.test(value) ? String(Number(value)) : value;
}

/** Returns a string without its final line break, and any other value unchanged. */
export function withoutLastLineEnd(value: Json): Json {
  return typeof value === "string" ? value.replace(/\n$/, "") : value;
}
