import { isObject, type Json, type JsonObject, pointer, setMember } from "../../../schemas/index.ts";

/** The keywords with a value that is a subschema, a list of subschemas, or an object of subschemas. Everything else is data. */
const schemaKeywords = new Set(
  "items additionalProperties unevaluatedProperties unevaluatedItems contains propertyNames not if then else".split(
    " ",
  ),
);
const listKeywords = new Set("allOf anyOf oneOf prefixItems".split(" "));
const mapKeywords = new Set("properties patternProperties dependentSchemas $defs definitions".split(" "));

/** Every subschema that is an object, by its absolute location (`$id#/pointer`), and its location by the subschema. */
export interface Locations {
  locationsBySchema: ReadonlyMap<unknown, string>;
  schemasByLocation: ReadonlyMap<string, JsonObject>;
}

export function locateSchemas(schemas: readonly JsonObject[]): Locations {
  const locationsBySchema = new Map<unknown, string>();
  const schemasByLocation = new Map<string, JsonObject>();
  for (const schema of schemas) visit(schema, `${String(schema.$id)}#`);
  return { locationsBySchema, schemasByLocation };

  function visit(schema: Json, place: string): void {
    if (!isObject(schema)) return;
    schemasByLocation.set(place, schema);
    const location = embeddedLocation(schema, place) ?? place;
    locationsBySchema.set(schema, location);
    schemasByLocation.set(location, schema);
    for (const [path, child] of childrenOf(schema)) visit(child, `${location}${path}`);
  }
}

/** The location of an embedded schema with its own `$id`. */
function embeddedLocation({ $id }: JsonObject, place: string): string | undefined {
  if (place.endsWith("#") || typeof $id !== "string" || $id.startsWith("#") || !URL.canParse($id, place))
    return undefined;
  return `${new URL($id, place).href.replace(/#$/, "")}#`;
}

/** The subschema that a `$ref` in `schema` refers to. Undefined if it is not among the located subschemas. */
export function followReference(schema: JsonObject, locations: Locations): JsonObject | undefined {
  if (typeof schema.$ref !== "string") return undefined;
  const { href, hash } = new URL(schema.$ref, locations.locationsBySchema.get(schema));
  return locations.schemasByLocation.get(
    `${href.slice(0, href.length - hash.length).replace(/#$/, "")}#${decodeURIComponent(hash.slice(1))}`,
  );
}

/** Returns a copy of a schema, with every subschema replaced by the result of `change`, innermost first. */
export function rewriteSchema(schema: Json, change: (schema: JsonObject) => JsonObject): Json {
  if (!isObject(schema)) return schema;
  const copy: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) setMember(copy, keyword, rewriteInside(keyword, value));
  return change(copy);

  function rewriteInside(keyword: string, value: Json): Json {
    if (schemaKeywords.has(keyword)) return rewriteSchema(value, change);
    if (listKeywords.has(keyword) && Array.isArray(value))
      return value.map((subschema) => rewriteSchema(subschema, change));
    if (!mapKeywords.has(keyword) || !isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, subschema]) => [name, rewriteSchema(subschema, change)]),
    );
  }
}

function* childrenOf(schema: JsonObject): Generator<[path: string, schema: Json]> {
  for (const [keyword, value] of Object.entries(schema)) {
    const path = pointer.append("", keyword);
    if (schemaKeywords.has(keyword)) yield [path, value];
    else if (listKeywords.has(keyword) || mapKeywords.has(keyword)) {
      for (const [name, subschema] of Object.entries(value as JsonObject))
        yield [pointer.append(path, name), subschema];
    }
  }
}
