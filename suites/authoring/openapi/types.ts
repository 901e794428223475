import {
  isObject,
  type Json,
  type JsonObject,
  type Parameter,
  pointer,
  type TextType,
} from "../../../schemas/index.ts";

/** Deeper subschemas are ignored. */
const maxDepth = 8;
/** The maximum number of references in a row. */
const maxReferences = 32;

/** The types that the text of a value may have according to its schema. */
export function textTypes(
  schema: Json | undefined,
  root: JsonObject,
): Pick<Parameter, "types" | "holds" | "members" | "mixed"> {
  const types = typesOf(schema, root, 0);
  if (types === undefined) return {};
  if (!types.has("array"))
    return types.has("object") ? { holds: "members", members: membersOf(schema, root) } : textTypesIn(types);
  const itemTypes = itemsOf(schema, root);
  const isMixed = [...types].some((type) => type !== "array" && type !== "object" && type !== "null");
  return {
    holds: "items",
    ...(isMixed ? { mixed: true as const } : {}),
    ...(itemTypes === undefined ? {} : { types: [...itemTypes].filter(isTextType) }),
  };
}

/** The types of a value that is neither a list nor an object. Empty if one of them is unknown, as in documents of older versions. */
function textTypesIn(types: ReadonlySet<string>): Pick<Parameter, "types"> {
  const texts = [...types].filter(isTextType);
  return texts.length < types.size ? {} : { types: texts };
}

function isTextType(type: string): type is TextType {
  return (textTypeNames as readonly string[]).includes(type);
}

const textTypeNames: readonly TextType[] = ["string", "number", "integer", "boolean", "null"];

function itemsOf(schema: Json | undefined, root: JsonObject): Set<string> | undefined {
  return typesOf(findSchemaWith("items", schema, root, 0)?.items, root, 1);
}

/** The schema that describes the content of a list or an object: the schema itself, or its first part or choice that does, such as the list in "a list or null". */
function findSchemaWith(
  keyword: string,
  schema: Json | undefined,
  root: JsonObject,
  depth: number,
): JsonObject | undefined {
  const resolved = resolveSchema(schema, root);
  if (!isObject(resolved) || depth > maxDepth) return undefined;
  if (resolved[keyword] !== undefined) return resolved;
  const parts = [resolved.allOf, resolved.anyOf, resolved.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return parts
    .map((part) => findSchemaWith(keyword, part, root, depth + 1))
    .find((candidate) => candidate !== undefined);
}

/** The text types of the members; members that are lists or objects are left out. */
function membersOf(schema: Json | undefined, root: JsonObject): Record<string, TextType[]> {
  const namedMembers = Object.entries((findSchemaWith("properties", schema, root, 0)?.properties ?? {}) as JsonObject);
  return Object.fromEntries(
    namedMembers.flatMap(([name, member]) => {
      const types = typesOf(member, root, 1);
      const texts = types === undefined ? undefined : textTypesIn(types).types;
      return texts === undefined ? [] : [[name, texts]];
    }),
  );
}

/** The types that a schema names, as far as that is obvious; undefined for any type. */
function typesOf(schema: Json | undefined, root: JsonObject, depth: number): Set<string> | undefined {
  const resolved = resolveSchema(schema, root);
  if (!isObject(resolved) || depth > maxDepth) return undefined;
  if (resolved.type !== undefined)
    return new Set((Array.isArray(resolved.type) ? resolved.type : [resolved.type]).map(String));
  const values = resolved.enum ?? (resolved.const === undefined ? undefined : [resolved.const]);
  if (Array.isArray(values)) return new Set(values.map((value) => (value === null ? "null" : typeof value)));
  const choices = resolved.anyOf ?? resolved.oneOf;
  if (Array.isArray(choices)) {
    const choiceTypes = choices.map((choice) => typesOf(choice, root, depth + 1));
    return choiceTypes.includes(undefined)
      ? undefined
      : new Set(choiceTypes.flatMap((types) => [...(types as Set<string>)]));
  }
  const parts = Array.isArray(resolved.allOf) ? resolved.allOf : [];
  return parts.map((part) => typesOf(part, root, depth + 1)).find((partTypes) => partTypes !== undefined);
}

function resolveSchema(schema: Json | undefined, root: JsonObject): Json | undefined {
  let current = schema;
  for (let step = 0; step < maxReferences && isObject(current) && typeof current.$ref === "string"; step += 1)
    current = pointer.at(current.$ref.slice(1), root);
  return current;
}

/** Changes a schema so that no empty texts and no empty lists are generated. These are not written at all, or servers read them differently. */
export function forbidEmptyTexts(schema: Json | undefined, root: JsonObject, depth = 0): void {
  const resolved = resolveSchema(schema, root);
  if (!isObject(resolved) || depth > maxDepth) return;
  for (const parts of [resolved.allOf, resolved.anyOf, resolved.oneOf])
    for (const part of Array.isArray(parts) ? parts : []) forbidEmptyTexts(part, root, depth + 1);
  const { type, enum: values, const: value } = resolved;
  const hasType = (name: string): boolean => (Array.isArray(type) ? type.includes(name) : type === name);
  if (values !== undefined || value !== undefined) return;
  if (hasType("string") && !(Number(resolved.minLength) > 0)) resolved.minLength = 1;
  for (const property of hasType("object") && isObject(resolved.properties) ? Object.values(resolved.properties) : []) {
    const member = resolveSchema(property, root);
    if (isObject(member) && member.type === "string") forbidEmptyTexts(member, root, depth + 1);
  }
  if (!hasType("array")) return;
  if (!(Number(resolved.minItems) > 0)) resolved.minItems = 1;
  forbidEmptyTexts(resolved.items, root, depth + 1);
}

/** Keywords that every value written as text satisfies: they leave a text unchanged, only describe it, or require one character. */
const harmlessKeywords = new Set([
  "type",
  "minLength",
  "format",
  "title",
  "description",
  "default",
  "example",
  "examples",
  "deprecated",
]);

/**
 * Widens the schema of a parameter that may be any string, or a list of any strings, to the other values that are written as text: numbers and
 * booleans. A version with an integer at this place is therefore narrower than one with a string, and the two are not disjoint.
 */
export function widenTexts(schema: Json | undefined, root: JsonObject): Json | undefined {
  const resolved = resolveSchema(schema, root);
  if (!isObject(resolved)) return schema;
  if (resolved.type === "array" && resolved.items !== undefined)
    return { ...resolved, items: widenTexts(resolved.items, root) as Json };
  const isAnyText = resolved.type === "string" && Object.keys(resolved).every((name) => harmlessKeywords.has(name));
  return isAnyText && !(Number(resolved.minLength) > 1)
    ? { ...resolved, type: ["string", "number", "boolean"] }
    : schema;
}
