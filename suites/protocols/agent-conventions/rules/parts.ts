import { isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";

const listKeywords = ["allOf", "anyOf", "oneOf"];
const singleKeywords = ["then", "else", "if", "not"];

/** A schema and all subschemas for the same value: by references within its file, in combinations and in conditions. */
export function partsOf(
  schema: Json | undefined,
  root: JsonObject,
  parts: Set<JsonObject> = new Set(),
): Set<JsonObject> {
  if (!isObject(schema) || parts.has(schema)) return parts;
  parts.add(schema);
  for (const keyword of listKeywords) for (const part of listIn(schema, keyword)) partsOf(part, root, parts);
  for (const keyword of singleKeywords) partsOf(schema[keyword], root, parts);
  for (const part of Object.values(objectIn(schema, "dependentSchemas"))) partsOf(part, root, parts);
  const { $ref } = schema;
  if (typeof $ref === "string" && $ref.startsWith("#")) partsOf(pointer.at($ref.slice(1), root), root, parts);
  return parts;
}

/** The schemas for a member, from all parts of its parent's schema. */
export function memberParts(parts: Iterable<JsonObject>, name: string, root: JsonObject): Set<JsonObject> {
  const schemas = new Set<JsonObject>();
  for (const part of parts) partsOf(objectIn(part, "properties")[name], root, schemas);
  return schemas;
}

/** The schemas for the items of a list, from all parts of its schema. */
export function itemParts(parts: Iterable<JsonObject>, root: JsonObject): Set<JsonObject> {
  const schemas = new Set<JsonObject>();
  for (const part of parts) {
    partsOf(part.items, root, schemas);
    partsOf(part.contains, root, schemas);
  }
  return schemas;
}

/** The names of members that any of the parts describes or requires. */
export function namesIn(parts: Iterable<JsonObject>): string[] {
  const names = [...parts].flatMap((part) => [
    ...Object.keys(objectIn(part, "properties")),
    ...listIn(part, "required").filter((name) => typeof name === "string"),
  ]);
  return [...new Set(names)];
}

export function objectIn(schema: JsonObject, keyword: string): JsonObject {
  const value = schema[keyword];
  return isObject(value) ? value : {};
}

export function listIn(schema: JsonObject, keyword: string): Json[] {
  const value = schema[keyword];
  return Array.isArray(value) ? value : [];
}
