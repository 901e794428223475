import { isObject, type Json, type JsonObject } from "./json.ts";
import { append } from "./pointer.ts";
import type { Text } from "./text-place.ts";
import type { Note } from "./unread-parts.ts";

/** Bounds that have no effect if they are infinite. */
const upperBounds = new Set(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"]);
const lowerBounds = new Set(["minimum", "exclusiveMinimum"]);
/** The values of these keywords are data. */
const dataKeywords = new Set(["const", "enum", "default", "examples"]);

/**
 * Drops bounds beyond all doubles, such as those of decimal128, which JavaScript reads as infinite. No generated value exceeds them. An infinite
 * `multipleOf` is dropped too. Any other infinite number is kept, and rejected later.
 */
export function dropInfiniteBounds(text: Text, note: Note): Text {
  const value = withoutBounds(text.value, "", (at) => {
    note(at, "the number is beyond all doubles, so that no message that is tried breaks it", true);
  });
  return value === text.value ? text : { ...text, value };
}

function withoutBounds(value: Json, at: string, onDropped: (at: string) => void): Json {
  if (Array.isArray(value)) {
    const changedItems = value.map((item, index) => withoutBounds(item, append(at, index), onDropped));
    return changedItems.every((changedItem, index) => changedItem === value[index]) ? value : changedItems;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    const isUnlimited =
      (member === Number.POSITIVE_INFINITY && upperBounds.has(name)) ||
      (member === Number.NEGATIVE_INFINITY && lowerBounds.has(name));
    if (isUnlimited || (name === "multipleOf" && member === Number.POSITIVE_INFINITY)) {
      onDropped(append(at, name));
      return [];
    }
    return [[name, dataKeywords.has(name) ? member : withoutBounds(member, append(at, name), onDropped)]];
  });
  if (entries.length === Object.keys(value).length && entries.every(([name, member]) => member === value[name]))
    return value;
  const reduced = Object.fromEntries(entries) as JsonObject;
  // In draft-04, the boolean has no effect without its bound.
  for (const [bound, flag] of draft04Flags)
    if (Object.hasOwn(value, bound) && !Object.hasOwn(reduced, bound) && typeof reduced[flag] === "boolean")
      delete reduced[flag];
  return reduced;
}

/** The bounds of draft-04, each with the boolean that makes it exclusive. */
const draft04Flags: readonly [bound: string, flag: string][] = [
  ["maximum", "exclusiveMaximum"],
  ["minimum", "exclusiveMinimum"],
];
