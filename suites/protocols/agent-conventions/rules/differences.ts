import { canonical, isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";
import { member } from "./messages.ts";
import { listIn, namesIn, objectIn, partsOf } from "./parts.ts";

/** A change at one location of a schema. */
export interface SchemaChange {
  at: string;
  kind: "removed" | "added" | "deprecated" | "widened";
  why: string;
}

const assertingKeywords = [
  "type",
  "pattern",
  "required",
  "additionalProperties",
  "uniqueItems",
  "multipleOf",
  "const",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
];

/** Finds the changes between two schemas, except in annotations. A `widened` assertion may in fact be equivalent, only written differently. */
export function* differences(oldSchema: JsonObject, newSchema: JsonObject): Generator<SchemaChange> {
  yield* differencesBetween(oldSchema, newSchema, "/new", { old: oldSchema, new: newSchema });
}

function* differencesBetween(
  before: Json | undefined,
  after: Json | undefined,
  at: string,
  roots: { old: JsonObject; new: JsonObject },
): Generator<SchemaChange> {
  if (!isObject(before) || !isObject(after)) return;
  if (member(before, "deprecated") !== member(after, "deprecated"))
    yield { at: `${at}/deprecated`, kind: "deprecated", why: "has changed" };
  yield* enumDifferences(before, after, at);
  for (const keyword of assertingKeywords)
    if (canonical(normalizedValue(before, keyword)) !== canonical(normalizedValue(after, keyword)))
      yield { at: pointer.append(at, keyword), kind: "widened", why: "has changed" };
  const knownNames = namesIn(partsOf(after, roots.new));
  for (const [name, schema] of Object.entries(objectIn(before, "properties"))) {
    const next = objectIn(after, "properties")[name];
    if (schema !== false && !knownNames.includes(name))
      yield { at: `${at}/properties`, kind: "removed", why: `no longer has ${name}` };
    yield* differencesBetween(schema, next, pointer.append(`${at}/properties`, name), roots);
  }
  yield* differencesBetween(before.items, after.items, `${at}/items`, roots);
}

/** A keyword's value without irrelevant differences: the order of a list, or an assertion that accepts every value. */
function normalizedValue(schema: JsonObject, keyword: string): Json {
  const value = schema[keyword];
  if (keyword === "additionalProperties") return value === undefined || canonical(value) === "{}" ? true : value;
  if (value === undefined) return null;
  return Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : value;
}

function* enumDifferences(before: JsonObject, after: JsonObject, at: string): Generator<SchemaChange> {
  if (!Array.isArray(before.enum) || !Array.isArray(after.enum)) return;
  const itemsOf = (schema: JsonObject): string[] => listIn(schema, "enum").map((item) => canonical(item));
  const removed = itemsOf(before).filter((item) => !itemsOf(after).includes(item));
  const added = itemsOf(after).filter((item) => !itemsOf(before).includes(item));
  const place = `${at}/enum`;
  if (removed.length > 0) yield { at: place, kind: "removed", why: `no longer has ${removed.join(", ")}` };
  if (added.length > 0) yield { at: place, kind: "added", why: `now has ${added.join(", ")}` };
}
