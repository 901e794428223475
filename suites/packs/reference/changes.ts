import { isObject, type Json, type JsonObject, pointer } from "../../../schemas/index.ts";

/** Makes a changed copy of a message. */
export type ReferenceChange = (message: JsonObject) => JsonObject;

/** Changes the value at a JSON Pointer, if there is one, and removes it if the function returns undefined. `*` means each item or member. The rest of the message, and the original, are unchanged. */
export function editAt(place: string, change: (value: Json) => Json | undefined): ReferenceChange {
  return changeWith(place, (value) => (value === undefined ? undefined : change(value)));
}

/** Puts a value at a JSON Pointer, in place of any value there, if the object that contains it exists. */
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

/** A numeric text in its shortest form; any other value unchanged. */
export function shortestNumber(value: Json): Json {
  return typeof value === "string" && /^[\d.]+$/.test(value) ? String(Number(value)) : value;
}

/** A text without its final line break; any other value unchanged. */
export function withoutLastLineEnd(value: Json): Json {
  return typeof value === "string" ? value.replace(/\n$/, "") : value;
}
