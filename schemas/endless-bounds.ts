import { isObject, type Json, type JsonObject } from "./json.ts";
import { append } from "./pointer.ts";
import type { Text } from "./text-place.ts";
import type { Note } from "./unread-parts.ts";

/** Bounds that no double can exceed. */
const upperBounds = new Set(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"]);
const lowerBounds = new Set(["minimum", "exclusiveMinimum"]);
/** The values of these keywords are data. */
const data = new Set(["const", "enum", "default", "examples"]);

/**
 * The text of a schema without bounds beyond all doubles, such as those of decimal128: JavaScript reads them as infinite. No tried value is
 * beyond them, so each can be left out. Steps of that size are left out as well. Others stay, and are refused by their own checks.
 */
export function withoutEndless(text: Text, note: Note): Text {
  const value = withoutBounds(text.value, "", (at) => {
    note(at, "the number is beyond all doubles, so that no message that is tried breaks it", true);
  });
  return value === text.value ? text : { ...text, value };
}

function withoutBounds(value: Json, at: string, tell: (at: string) => void): Json {
  if (Array.isArray(value)) {
    const changed = value.map((each, index) => withoutBounds(each, append(at, index), tell));
    return changed.every((each, index) => each === value[index]) ? value : changed;
  }
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, each]): [string, Json][] => {
    const isAll =
      each === Number.POSITIVE_INFINITY
        ? upperBounds.has(name)
        : each === Number.NEGATIVE_INFINITY && lowerBounds.has(name);
    if (isAll || (name === "multipleOf" && each === Number.POSITIVE_INFINITY)) {
      tell(append(at, name));
      return [];
    }
    return [[name, data.has(name) ? each : withoutBounds(each, append(at, name), tell)]];
  });
  if (kept.length === Object.keys(value).length && kept.every(([name, each]) => each === value[name])) return value;
  const result = Object.fromEntries(kept) as JsonObject;
  // A boolean of draft-04 has no effect without its bound.
  for (const [bound, flag] of flags)
    if (Object.hasOwn(value, bound) && !Object.hasOwn(result, bound) && typeof result[flag] === "boolean")
      delete result[flag];
  return result;
}

const flags: readonly [bound: string, flag: string][] = [
  ["maximum", "exclusiveMaximum"],
  ["minimum", "exclusiveMinimum"],
];
