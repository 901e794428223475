import { canonical, isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";
import { member } from "./messages.ts";
import { listIn, namesIn, objectIn, partsOf } from "./parts.ts";

/** A change at one place that the schemas themselves show. */
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

/** The places at which two schemas differ in more than annotations. `widened` may also be the same assertion in another form. */
export function* differences(oldSchema: JsonObject, newSchema: JsonObject): Generator<SchemaChange> {
  yield* differencesBetween(oldSchema, newSchema, "/new", { old: oldSchema, now: newSchema });
}

function* differencesBetween(
  before: Json | undefined,
  after: Json | undefined,
  at: string,
  roots: { old: JsonObject; now: JsonObject },
): Generator<SchemaChange> {
  if (!isObject(before) || !isObject(after)) return;
  if (member(before, "deprecated") !== member(after, "deprecated"))
    yield { at: `${at}/deprecated`, kind: "deprecated", why: "is marked differently" };
  yield* valueDifferences(before, after, at);
  for (const keyword of assertingKeywords)
    if (canonical(looseValue(before, keyword)) !== canonical(looseValue(after, keyword)))
      yield { at: pointer.append(at, keyword), kind: "widened", why: "is stated differently" };
  const knownNames = namesIn(partsOf(after, roots.now));
  for (const [name, schema] of Object.entries(objectIn(before, "properties"))) {
    const next = objectIn(after, "properties")[name];
    if (schema !== false && !knownNames.includes(name))
      yield { at: `${at}/properties`, kind: "removed", why: `lacks ${name} now` };
    yield* differencesBetween(schema, next, pointer.append(`${at}/properties`, name), roots);
  }
  yield* differencesBetween(before.items, after.items, `${at}/items`, roots);
}

/** A keyword's value without differences that do not matter: the order of a list, and an assertion that every value meets. */
function looseValue(schema: JsonObject, keyword: string): Json {
  const value = schema[keyword];
  if (keyword === "additionalProperties") return value === undefined || canonical(value) === "{}" ? true : value;
  if (value === undefined) return null;
  return Array.isArray(value) ? value.map((each) => JSON.stringify(each)).sort() : value;
}

function* valueDifferences(before: JsonObject, after: JsonObject, at: string): Generator<SchemaChange> {
  if (!Array.isArray(before.enum) || !Array.isArray(after.enum)) return;
  const texts = (schema: JsonObject): string[] => listIn(schema, "enum").map((each) => canonical(each));
  const removed = texts(before).filter((each) => !texts(after).includes(each));
  const added = texts(after).filter((each) => !texts(before).includes(each));
  const place = `${at}/enum`;
  if (removed.length > 0) yield { at: place, kind: "removed", why: `lacks ${removed.join(", ")} now` };
  if (added.length > 0) yield { at: place, kind: "added", why: `has ${added.join(", ")} now` };
}
