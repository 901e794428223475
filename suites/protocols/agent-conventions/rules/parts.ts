import { isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";

const lists = ["allOf", "anyOf", "oneOf"];
const singleKeywords = ["then", "else", "if", "not"];

/** A schema and all schemas that it applies to the same value: by references within its file, by combination, or by condition. */
export function partsOf(
  schema: Json | undefined,
  root: JsonObject,
  found: Set<JsonObject> = new Set(),
): Set<JsonObject> {
  if (!isObject(schema) || found.has(schema)) return found;
  found.add(schema);
  for (const keyword of lists) for (const part of listIn(schema, keyword)) partsOf(part, root, found);
  for (const keyword of singleKeywords) partsOf(schema[keyword], root, found);
  for (const part of Object.values(objectIn(schema, "dependentSchemas"))) partsOf(part, root, found);
  const { $ref } = schema;
  if (typeof $ref === "string" && $ref.startsWith("#")) partsOf(pointer.at($ref.slice(1), root), root, found);
  return found;
}

/** The schemas of a member in all parts of its parent. */
export function memberParts(parts: Iterable<JsonObject>, name: string, root: JsonObject): Set<JsonObject> {
  const found = new Set<JsonObject>();
  for (const part of parts) partsOf(objectIn(part, "properties")[name], root, found);
  return found;
}

export function itemParts(parts: Iterable<JsonObject>, root: JsonObject): Set<JsonObject> {
  const found = new Set<JsonObject>();
  for (const part of parts) {
    partsOf(part.items, root, found);
    partsOf(part.contains, root, found);
  }
  return found;
}

/** The names of members that a part describes or requires. */
export function namesIn(parts: Iterable<JsonObject>): string[] {
  const names = [...parts].flatMap((part) => [
    ...Object.keys(objectIn(part, "properties")),
    ...listIn(part, "required").filter((name) => typeof name === "string"),
  ]);
  return [...new Set(names)];
}

export function objectIn(schema: JsonObject, keyword: string): JsonObject {
  const found = schema[keyword];
  return isObject(found) ? found : {};
}

export function listIn(schema: JsonObject, keyword: string): Json[] {
  const found = schema[keyword];
  return Array.isArray(found) ? found : [];
}
