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
/** The replacement of `$recursiveAnchor`, which 2020-12 replaced. */
const recursive = "touchstone-recursive";

/** The unchanged schemas if all have one dialect; otherwise all in 2020-12, with the same meaning: Ajv reads every schema by the dialect of the first. */
export function inOneDialect(schemas: readonly JsonObject[]): readonly JsonObject[] {
  const found = schemas.map((schema) => dialectOf(schema.$schema));
  if (new Set(found).size < 2 || found.includes(undefined)) return schemas;
  const documents = new Map(schemas.map((schema) => [identifier(schema), schema]));
  return schemas.map((schema, index) => ({
    ...(rewriteSchema(schema, found[index] as KnownDialect, { id: identifier(schema), documents }) as JsonObject),
    $schema: latestDialect.uri,
  }));
}

/** One schema and all its parts; keywords unknown to its dialect have no meaning. */
function rewriteSchema(
  schema: JsonObject,
  dialect: KnownDialect,
  {
    id,
    documents,
    resource = schema,
  }: { id: string; documents: ReadonlyMap<string, JsonObject>; resource?: JsonObject },
): JsonObject {
  const own = keywordsOf(dialect);
  const copy: JsonObject = {};
  for (const [name, value] of Object.entries(schema))
    if (own.has(name) || !latestKeywords.has(name) || name === "$defs") setMember(copy, name, value);
  for (const { path, schema: below } of [...subschemas(schema, dialect), ...definitionsOf(schema, dialect)]) {
    if (!isObject(below)) continue;
    const [keyword = "", key] = pointer.segments(path);
    const made = rewriteSchema(below, dialect, {
      id,
      documents,
      resource: typeof below.$id === "string" ? below : resource,
    });
    if (key === undefined) copy[keyword] = made;
    else {
      const held = copy[keyword] === schema[keyword] ? structuredClone(schema[keyword] as Json) : copy[keyword];
      if (Array.isArray(held)) held[Number(key)] = made;
      else setMember(held as JsonObject, key, made);
      copy[keyword] = held as Json;
    }
  }
  for (const name of ["$ref", "$dynamicRef"])
    if (typeof copy[name] === "string") copy[name] = leading(copy[name], id, documents);
  if (dialect === latestDialect) return copy;
  if (copy.$recursiveAnchor === true) copy.$dynamicAnchor = recursive;
  delete copy.$recursiveAnchor;
  if (typeof copy.$recursiveRef === "string") {
    if (resource.$recursiveAnchor === true) copy.$dynamicRef = `#${recursive}`;
    else copy.allOf = [...(Array.isArray(copy.allOf) ? copy.allOf : []), { $ref: "#" }];
    delete copy.$recursiveRef;
  }
  if (!dialect.besideRef && typeof copy.$id === "string" && copy.$id.startsWith("#")) {
    copy.$anchor = copy.$id.slice(1);
    delete copy.$id;
  }
  return Array.isArray(copy.items) || Object.hasOwn(copy, "additionalItems") ? withPrefix(copy) : copy;
}

/** Before 2019-09 `$defs` is not a keyword, but schemas refer to it anyway. */
function definitionsOf({ $defs }: JsonObject, { map }: KnownDialect): { path: string; schema: Json }[] {
  if (map.has("$defs") || !isObject($defs)) return [];
  return Object.entries($defs).map(([name, schema]) => ({ path: pointer.append("/$defs", name), schema }));
}

function withPrefix({ items, additionalItems, ...rest }: JsonObject): JsonObject {
  if (!Array.isArray(items)) return items === undefined ? rest : { ...rest, items };
  // In 2020-12 the list may not be empty.
  const prefix = items.length === 0 ? {} : { prefixItems: items };
  return { ...rest, ...prefix, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
}

/** A reference by a JSON Pointer, which may lead through a member with a new name. */
function leading(reference: string, id: string, documents: ReadonlyMap<string, JsonObject>): string {
  const [base = "", fragment = ""] = reference.split("#");
  const document = documents.get(base === "" ? id : base);
  if (document === undefined || !fragment.startsWith("/") || dialectOf(document.$schema) === latestDialect)
    return reference;
  let at: Json | undefined = document;
  const steps = fragment
    .split("/")
    .slice(1)
    .map((step) => {
      const above = at;
      at = at === undefined ? undefined : pointer.at(`/${decodeURIComponent(step)}`, at);
      if (!isObject(above) || !Array.isArray(above.items)) return step;
      return step === "items" ? "prefixItems" : step === "additionalItems" ? "items" : step;
    });
  return `${base}#/${steps.join("/")}`;
}
