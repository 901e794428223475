import type { FuncKeywordDefinition } from "ajv";
import { isObject, type Json, type JsonObject, jsonOf, pointer } from "../../schemas/index.ts";
import { identifier } from "../compile/compile.ts";
import { lenientAjv } from "./ajv.ts";

/** A text that a schema declares as JSON and that is not valid JSON, or not the declared JSON. */
export interface WrongContent {
  at: string;
  /** The message that follows the location. */
  message: string;
}

/** The member that holds a schema's own location. Ajv passes the schema to the code of a keyword, but not its location. */
const placeKey = "x-content-place";

/**
 * Returns a function that finds a text that is not the JSON declared by `contentMediaType` and `contentSchema` (JSON Schema 2020-12 Validation, 8).
 * Validators ignore these annotations by default. Undefined if no schema has them. Other media types and encodings are not checked.
 */
export function contentJudge(
  schemas: readonly JsonObject[],
  id: string,
): ((value: Json) => WrongContent | undefined) | undefined {
  if (!JSON.stringify(schemas).includes('"contentMediaType"')) return undefined;
  const ajv = lenientAjv(schemas.map(placeContents), id);
  const matchesContent = (schema: JsonObject, text: string): boolean => {
    const { contentMediaType: type, contentEncoding: encoding, contentSchema: inner, [placeKey]: place } = schema;
    // Any JSON media type, such as `application/json` or `application/cloudevents+json; charset=utf-8`.
    if (encoding !== undefined || !/^[\w.+-]+\/([\w.+-]+\+)?json\s*(;|$)/i.test(String(type))) return true;
    const value = jsonOf(text);
    if (value === undefined) return false;
    return inner === undefined || ajv.getSchema(`${String(place)}/contentSchema`)?.(value) !== false;
  };
  const definition: FuncKeywordDefinition = {
    keyword: "contentMediaType",
    type: "string",
    errors: false,
    validate: (_: unknown, text: string, parentSchema?: JsonObject) =>
      parentSchema === undefined || matchesContent(parentSchema, text),
  };
  ajv.removeKeyword("contentMediaType").addKeyword(definition);
  const validate = ajv.getSchema(id);
  return (value) => {
    if (validate === undefined || validate(value) === true) return undefined;
    const at = validate.errors?.find(({ keyword }) => keyword === "contentMediaType")?.instancePath;
    if (at === undefined) return undefined;
    const text = pointer.at(at, value);
    const isJson = typeof text === "string" && jsonOf(text) !== undefined;
    return {
      at,
      message: isJson ? "is JSON that its contentSchema refuses" : "is not valid JSON (contentMediaType)",
    };
  };
}

/** Adds each subschema's location beside its `contentMediaType`. */
function placeContents(schema: JsonObject): JsonObject {
  const root = identifier(schema);
  const walk = (value: Json, at: string): Json => {
    if (Array.isArray(value)) return value.map((item, index) => walk(item, `${at}/${index}`));
    if (!isObject(value)) return value;
    const members = Object.entries(value).map(([name, member]): [string, Json] => [
      name,
      walk(member, pointer.append(at, name)),
    ]);
    const hasMediaType = typeof value.contentMediaType === "string";
    return Object.fromEntries(hasMediaType ? [...members, [placeKey, `${root}#${at}`]] : members);
  };
  return walk(schema, "") as JsonObject;
}
