import { isObject, type Json, type JsonObject } from "./json.ts";
import { append } from "./pointer.ts";
import type { Text } from "./text-place.ts";
import type { Note } from "./unread-parts.ts";

/** Upper and lower bounds, which have no effect if they are infinite. */
const upperBounds = new Set(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"]);
const lowerBounds = new Set(["minimum", "exclusiveMinimum"]);
/** The values of these keywords are data. */
const dataKeywords = new Set(["const", "enum", "default", "examples"]);

/**
 * The text of a schema without bounds beyond all doubles, such as those of decimal128: JavaScript reads them as infinite. No generated value
 * exceeds them, so each can be dropped. An infinite `multipleOf` is dropped too. Any other infinite number is kept, and rejected later.
 */
export function dropInfiniteBounds(text: Text, note: Note): Text {
  const value = withoutBounds(text.value, "", (at) => {
    note(at, "the number is beyond all doubles, so that no message that is tried breaks it", true);
  });
  return value === text.value ? text : { ...text, value };
}

function withoutBounds(value: Json, at: string, onDropped: (at: string) => void): Json {
  if (Array.isArray(value)) {
    const changed = value.map((each, index) => withoutBounds(each, append(at, index), onDropped));
    return changed.every((each, index) => each === value[index]) ? value : changed;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, each]): [string, Json][] => {
    const isUnlimited =
      (each === Number.POSITIVE_INFINITY && upperBounds.has(name)) ||
      (each === Number.NEGATIVE_INFINITY && lowerBounds.has(name));
    if (isUnlimited || (name === "multipleOf" && each === Number.POSITIVE_INFINITY)) {
      onDropped(append(at, name));
      return [];
    }
    return [[name, dataKeywords.has(name) ? each : withoutBounds(each, append(at, name), onDropped)]];
  });
  if (entries.length === Object.keys(value).length && entries.every(([name, each]) => each === value[name]))
    return value;
  const result = Object.fromEntries(entries) as JsonObject;
  // In draft-04, the boolean has no effect without its bound.
  for (const [bound, flag] of draft04Flags)
    if (Object.hasOwn(value, bound) && !Object.hasOwn(result, bound) && typeof result[flag] === "boolean")
      delete result[flag];
  return result;
}

/** The bounds of draft-04, each with the boolean that makes it exclusive. */
const draft04Flags: readonly [bound: string, flag: string][] = [
  ["maximum", "exclusiveMaximum"],
  ["minimum", "exclusiveMinimum"],
];
