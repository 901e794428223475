import { isObject, type Json, type JsonObject } from "./json.ts";
import { append } from "./pointer.ts";

/** The meaning of keywords in a version of JSON Schema, for references and locations. */
export interface Dialect {
  name: string;
  /** The URI of its meta-schema, without fragment. */
  uri: string;
  id: "$id" | "id";
  /** Whether keywords beside `$ref` have an effect. */
  besideRef: boolean;
  anchors: readonly string[];
  references: readonly string[];
  /** The positions of subschemas: as the keyword's value, in a list, or in a map by name. Everything else is data. */
  single: ReadonlySet<string>;
  list: ReadonlySet<string>;
  map: ReadonlySet<string>;
}

const branches = "allOf anyOf oneOf";
const logic = "not if then else";
const objects = "properties patternProperties definitions dependencies";
const commonSince2019 = {
  id: "$id",
  besideRef: true,
  map: wordSet(`${objects} $defs dependentSchemas`),
} as const;
const otherKeywords =
  "additionalProperties unevaluatedProperties unevaluatedItems contains propertyNames contentSchema";

/** The supported dialects, oldest first. */
export const dialects: readonly Dialect[] = [
  earlyDialect("draft-04", "id", "items additionalItems additionalProperties not"),
  earlyDialect("draft-06", "$id", "items additionalItems additionalProperties contains propertyNames not"),
  earlyDialect("draft-07", "$id", `items additionalItems additionalProperties contains propertyNames ${logic}`),
  {
    ...commonSince2019,
    name: "2019-09",
    uri: "https://json-schema.org/draft/2019-09/schema",
    anchors: ["$anchor"],
    references: ["$ref", "$recursiveRef"],
    single: wordSet(`items additionalItems ${otherKeywords} ${logic}`),
    list: wordSet(`items ${branches}`),
  },
  {
    ...commonSince2019,
    name: "2020-12",
    uri: "https://json-schema.org/draft/2020-12/schema",
    anchors: ["$anchor", "$dynamicAnchor"],
    references: ["$ref", "$dynamicRef"],
    single: wordSet(`items ${otherKeywords} ${logic}`),
    list: wordSet(`prefixItems ${branches}`),
  },
];

function earlyDialect(name: string, id: "$id" | "id", single: string): Dialect {
  return {
    name,
    uri: `http://json-schema.org/${name}/schema`,
    id,
    besideRef: false,
    anchors: [],
    references: ["$ref"],
    single: wordSet(single),
    list: wordSet(`items ${branches}`),
    map: wordSet(objects),
  };
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

/** The dialect that `$schema` names, with or without an empty fragment, `http:` or `https:`. Without `$schema` it is 2020-12. */
export function dialectOf($schema: Json | undefined): Dialect | undefined {
  if ($schema === undefined) return dialects.at(-1);
  if (typeof $schema !== "string") return undefined;
  const name = plainName($schema);
  return dialects.find(({ uri }) => plainName(uri) === name);
}

/** The URI of the dialect, as `$schema` usually spells it. */
export function schemaUriOf({ uri, besideRef }: Dialect): string {
  return besideRef ? uri : `${uri}#`;
}

function plainName(uri: string): string {
  return uri.replace(/^https?:/, "").replace(/#$/, "");
}

/** Whether the URI, without fragment, is one of the meta-schemas that validators bundle. */
export function isStandard(uri: string): boolean {
  return dialects.some((dialect) => {
    const vocabulary = dialect.besideRef ? dialect.uri.replace(/schema$/, "meta/") : undefined;
    return uri === dialect.uri || (vocabulary !== undefined && uri.startsWith(vocabulary));
  });
}

/** A subschema, the keyword that contains it, and its JSON Pointer in the schema with that keyword. */
export interface Subschema {
  keyword: string;
  path: string;
  schema: JsonObject | boolean;
}

/** The subschemas directly below, in the order of the text. */
export function* subschemas(schema: JsonObject, dialect: Dialect): Generator<Subschema> {
  for (const [keyword, value] of Object.entries(schema)) {
    const path = append("", keyword);
    if (dialect.single.has(keyword) && isSchema(value)) yield { keyword, path, schema: value };
    else if (Array.isArray(value) ? dialect.list.has(keyword) : isObject(value) && dialect.map.has(keyword))
      yield* subschemasOf(keyword, path, value as JsonObject);
  }
}

function* subschemasOf(keyword: string, path: string, schemas: JsonObject): Generator<Subschema> {
  for (const [name, schema] of Object.entries(schemas))
    if (isSchema(schema)) yield { keyword, path: append(path, name), schema };
}

export function isSchema(value: Json | undefined): value is JsonObject | boolean {
  return isObject(value) || typeof value === "boolean";
}
