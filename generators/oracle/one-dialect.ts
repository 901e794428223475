import {
  dialectOf,
  dialects,
  isObject,
  type Json,
  type JsonObject,
  keywordsOf,
  pointer,
  setMember,
  subschemas,
} from "../../schemas/index.ts";
import { identifier } from "../compile/compile.ts";

type KnownDialect = (typeof dialects)[number];

const latestDialect = dialects.at(-1) as KnownDialect;
const latestKeywords = keywordsOf(latestDialect);
/** The name of the `$dynamicAnchor` that replaces `$recursiveAnchor` in 2020-12. */
const recursiveAnchorName = "touchstone-recursive";

/** Returns the schemas in one dialect, because Ajv reads every schema by the dialect of the first. If they have several dialects, all are rewritten in 2020-12. */
export function inOneDialect(schemas: readonly JsonObject[]): readonly JsonObject[] {
  const schemaDialects = schemas.map((schema) => dialectOf(schema.$schema));
  if (new Set(schemaDialects).size < 2 || schemaDialects.includes(undefined)) return schemas;
  const documents = new Map(schemas.map((schema) => [identifier(schema), schema]));
  return schemas.map((schema, index) => ({
    ...(rewriteSchema(schema, schemaDialects[index] as KnownDialect, {
      id: identifier(schema),
      documents,
    }) as JsonObject),
    $schema: latestDialect.uri,
  }));
}

/** Rewrites a schema and all its subschemas in 2020-12. Keywords unknown to the old dialect are dropped, because they would gain a meaning. */
function rewriteSchema(
  schema: JsonObject,
  dialect: KnownDialect,
  {
    id,
    documents,
    resource = schema,
  }: { id: string; documents: ReadonlyMap<string, JsonObject>; resource?: JsonObject },
): JsonObject {
  const ownKeywords = keywordsOf(dialect);
  const copy: JsonObject = {};
  for (const [name, value] of Object.entries(schema))
    if (ownKeywords.has(name) || !latestKeywords.has(name) || name === "$defs") setMember(copy, name, value);
  for (const { path, schema: subschema } of [...subschemas(schema, dialect), ...definitionsOf(schema, dialect)]) {
    if (!isObject(subschema)) continue;
    const [keyword = "", key] = pointer.segments(path);
    const rewritten = rewriteSchema(subschema, dialect, {
      id,
      documents,
      resource: typeof subschema.$id === "string" ? subschema : resource,
    });
    if (key === undefined) copy[keyword] = rewritten;
    else {
      const container = copy[keyword] === schema[keyword] ? structuredClone(schema[keyword] as Json) : copy[keyword];
      if (Array.isArray(container)) container[Number(key)] = rewritten;
      else setMember(container as JsonObject, key, rewritten);
      copy[keyword] = container as Json;
    }
  }
  for (const name of ["$ref", "$dynamicRef"])
    if (typeof copy[name] === "string") copy[name] = rewriteReference(copy[name], id, documents);
  if (dialect === latestDialect) return copy;
  if (copy.$recursiveAnchor === true) copy.$dynamicAnchor = recursiveAnchorName;
  delete copy.$recursiveAnchor;
  if (typeof copy.$recursiveRef === "string") {
    if (resource.$recursiveAnchor === true) copy.$dynamicRef = `#${recursiveAnchorName}`;
    else copy.allOf = [...(Array.isArray(copy.allOf) ? copy.allOf : []), { $ref: "#" }];
    delete copy.$recursiveRef;
  }
  if (!dialect.besideRef && typeof copy.$id === "string" && copy.$id.startsWith("#")) {
    copy.$anchor = copy.$id.slice(1);
    delete copy.$id;
  }
  return Array.isArray(copy.items) || Object.hasOwn(copy, "additionalItems") ? renameItems(copy) : copy;
}

/** Before 2019-09 `$defs` is not a keyword, but schemas refer to it anyway. */
function definitionsOf({ $defs }: JsonObject, { map }: KnownDialect): { path: string; schema: Json }[] {
  if (map.has("$defs") || !isObject($defs)) return [];
  return Object.entries($defs).map(([name, schema]) => ({ path: pointer.append("/$defs", name), schema }));
}

function renameItems({ items, additionalItems, ...rest }: JsonObject): JsonObject {
  if (!Array.isArray(items)) return items === undefined ? rest : { ...rest, items };
  // In 2020-12 `prefixItems` must not be empty.
  const prefix = items.length === 0 ? {} : { prefixItems: items };
  return { ...rest, ...prefix, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
}

/** Rewrites a reference by JSON Pointer if it leads through a keyword with a new name. */
function rewriteReference(reference: string, id: string, documents: ReadonlyMap<string, JsonObject>): string {
  const [base = "", fragment = ""] = reference.split("#");
  const document = documents.get(base === "" ? id : base);
  if (document === undefined || !fragment.startsWith("/") || dialectOf(document.$schema) === latestDialect)
    return reference;
  let target: Json | undefined = document;
  const steps = fragment
    .split("/")
    .slice(1)
    .map((step) => {
      const holder = target;
      target = target === undefined ? undefined : pointer.at(`/${decodeURIComponent(step)}`, target);
      if (!isObject(holder) || !Array.isArray(holder.items)) return step;
      if (step === "items") return "prefixItems";
      return step === "additionalItems" ? "items" : step;
    });
  return `${base}#/${steps.join("/")}`;
}
