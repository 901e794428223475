import {
  isObject,
  type Json,
  type JsonObject,
  type Parameter,
  pointer,
  type TextType,
} from "../../../schemas/index.ts";

/** The types that the text of a value may have according to its schema. */
export function textTypes(
  schema: Json | undefined,
  root: JsonObject,
): Pick<Parameter, "types" | "holds" | "members" | "mixed"> {
  const types = typesOf(schema, root, 0);
  if (types === undefined) return {};
  const inner = types.has("array") ? "items" : types.has("object") ? "members" : undefined;
  if (inner === undefined) return textTypesIn(types);
  if (inner === "members") return { holds: inner, members: membersOf(schema, root) };
  const within = itemsOf(schema, root);
  const isMixed = [...types].some((type) => type !== "array" && type !== "object" && type !== "null");
  return {
    holds: inner,
    ...(isMixed ? { mixed: true as const } : {}),
    ...(within === undefined ? {} : { types: [...within].filter(isTextType) }),
  };
}

/** The types of a value that is neither a list nor an object. Empty if one of the words is not a type, as in documents of older versions. */
function textTypesIn(types: ReadonlySet<string>): Pick<Parameter, "types"> {
  const texts = [...types].filter(isTextType);
  return texts.length < types.size ? {} : { types: texts };
}

function isTextType(type: string): type is TextType {
  return (textTypeNames as readonly string[]).includes(type);
}

const textTypeNames: readonly TextType[] = ["string", "number", "integer", "boolean", "null"];

function itemsOf(schema: Json | undefined, root: JsonObject): Set<string> | undefined {
  return typesOf(findHolding("items", schema, root, 0)?.items, root, 1);
}

/** The schema that describes the content of a list or an object: the schema itself, or its first part or choice that does, such as the list in "a list or null". */
function findHolding(
  keyword: string,
  schema: Json | undefined,
  root: JsonObject,
  depth: number,
): JsonObject | undefined {
  const here = resolveSchema(schema, root);
  if (!isObject(here) || depth > 8) return undefined;
  if (here[keyword] !== undefined) return here;
  const parts = [here.allOf, here.anyOf, here.oneOf].flatMap((each) => (Array.isArray(each) ? each : []));
  return parts.map((part) => findHolding(keyword, part, root, depth + 1)).find((each) => each !== undefined);
}

/** Types other than lists and objects. */
function membersOf(schema: Json | undefined, root: JsonObject): Record<string, TextType[]> {
  const named = Object.entries((findHolding("properties", schema, root, 0)?.properties ?? {}) as JsonObject);
  return Object.fromEntries(
    named.flatMap(([name, each]) => {
      const types = typesOf(each, root, 1);
      const texts = types === undefined ? undefined : textTypesIn(types).types;
      return texts === undefined ? [] : [[name, texts]];
    }),
  );
}

/** The types that a schema names, as far as that is obvious; undefined for any type. */
function typesOf(schema: Json | undefined, root: JsonObject, depth: number): Set<string> | undefined {
  const here = resolveSchema(schema, root);
  if (!isObject(here) || depth > 8) return undefined;
  if (here.type !== undefined) return new Set((Array.isArray(here.type) ? here.type : [here.type]).map(String));
  const values = here.enum ?? (here.const === undefined ? undefined : [here.const]);
  if (Array.isArray(values)) return new Set(values.map((value) => (value === null ? "null" : typeof value)));
  const choices = here.anyOf ?? here.oneOf;
  if (Array.isArray(choices)) {
    const all = choices.map((choice) => typesOf(choice, root, depth + 1));
    return all.includes(undefined) ? undefined : new Set(all.flatMap((each) => [...(each as Set<string>)]));
  }
  const parts = Array.isArray(here.allOf) ? here.allOf : [];
  return parts.map((part) => typesOf(part, root, depth + 1)).find((each) => each !== undefined);
}

function resolveSchema(schema: Json | undefined, root: JsonObject): Json | undefined {
  let here = schema;
  for (let step = 0; step < 32 && isObject(here) && typeof here.$ref === "string"; step += 1)
    here = pointer.at(here.$ref.slice(1), root);
  return here;
}

/** A parameter or a member with an empty text, or a list without items, is not written at all, or is read differently: none is generated. */
export function withoutEmpty(schema: Json | undefined, root: JsonObject, depth = 0): void {
  const here = resolveSchema(schema, root);
  if (!isObject(here) || depth > 8) return;
  for (const parts of [here.allOf, here.anyOf, here.oneOf])
    for (const part of Array.isArray(parts) ? parts : []) withoutEmpty(part, root, depth + 1);
  const { type, enum: values, const: value } = here;
  const isOf = (name: string): boolean => (Array.isArray(type) ? type.includes(name) : type === name);
  if (values !== undefined || value !== undefined) return;
  if (isOf("string") && !(Number(here.minLength) > 0)) here.minLength = 1;
  for (const each of isOf("object") && isObject(here.properties) ? Object.values(here.properties) : []) {
    const member = resolveSchema(each, root);
    if (isObject(member) && member.type === "string") withoutEmpty(member, root, depth + 1);
  }
  if (!isOf("array")) return;
  if (!(Number(here.minItems) > 0)) here.minItems = 1;
  withoutEmpty(here.items, root, depth + 1);
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
 * A parameter that may be any text, or has items that may, also allows other values written as text: numbers and booleans. A version that has an
 * integer at this place is therefore narrower than one that has a text, and the two are not disjoint.
 */
export function withWritten(schema: Json | undefined, root: JsonObject): Json | undefined {
  const here = resolveSchema(schema, root);
  if (!isObject(here)) return schema;
  if (here.type === "array" && here.items !== undefined)
    return { ...here, items: withWritten(here.items, root) as Json };
  const isAny = here.type === "string" && Object.keys(here).every((name) => harmlessKeywords.has(name));
  return isAny && !(Number(here.minLength) > 1) ? { ...here, type: ["string", "number", "boolean"] } : schema;
}
