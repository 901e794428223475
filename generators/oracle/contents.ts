import type { FuncKeywordDefinition } from "ajv";
import { isObject, type Json, type JsonObject, jsonOf, pointer } from "../../schemas/index.ts";
import { identifier } from "../compile/compile.ts";
import { lenientAjv } from "./ajv.ts";

/** A text that a schema declares as JSON and that is not valid JSON, or not the declared JSON. */
export interface WrongContent {
  at: string;
  /** The words after its location. */
  message: string;
}

/** The place of a schema about the content of a text, for the code of the keyword: Ajv passes the schema around it and no place. */
const placeKey = "x-content-place";

/**
 * Says which text of a value is not the JSON that `contentMediaType` and `contentSchema` (JSON Schema 2020-12 Validation, 8) name; undefined if no schema has these. Both only
 * describe, so that a validator by itself passes over them. Other media types and encodings are not looked into.
 */
export function contentJudge(
  schemas: readonly JsonObject[],
  id: string,
): ((value: Json) => WrongContent | undefined) | undefined {
  if (!JSON.stringify(schemas).includes('"contentMediaType"')) return undefined;
  const ajv = lenientAjv(schemas.map(placeContents), id);
  const isRight = (schema: JsonObject, text: string): boolean => {
    const { contentMediaType: type, contentEncoding: encoding, contentSchema: inner, [placeKey]: place } = schema;
    if (encoding !== undefined || !/^[\w.+-]+\/([\w.+-]+\+)?json\s*(;|$)/i.test(String(type))) return true;
    const value = jsonOf(text);
    if (value === undefined) return false;
    return inner === undefined || ajv.getSchema(`${String(place)}/contentSchema`)?.(value) !== false;
  };
  const content: FuncKeywordDefinition = {
    keyword: "contentMediaType",
    type: "string",
    errors: false,
    validate: (_: unknown, text: string, around?: JsonObject) => around === undefined || isRight(around, text),
  };
  ajv.removeKeyword("contentMediaType").addKeyword(content);
  const validate = ajv.getSchema(id);
  return (value) => {
    if (validate === undefined || validate(value) === true) return undefined;
    const at = validate.errors?.find(({ keyword }) => keyword === "contentMediaType")?.instancePath;
    if (at === undefined) return undefined;
    const text = pointer.at(at, value);
    const isJson = typeof text === "string" && jsonOf(text) !== undefined;
    return {
      at,
      message: isJson ? "is a text of JSON that its contentSchema refuses" : "is no JSON (contentMediaType)",
    };
  };
}

/** The schema, with its own place beside each `contentMediaType`. */
function placeContents(schema: JsonObject): JsonObject {
  const root = identifier(schema);
  const walk = (value: Json, at: string): Json => {
    if (Array.isArray(value)) return value.map((each, index) => walk(each, `${at}/${index}`));
    if (!isObject(value)) return value;
    const inner = Object.entries(value).map(([name, each]): [string, Json] => [
      name,
      walk(each, pointer.append(at, name)),
    ]);
    const isHolder = typeof value.contentMediaType === "string";
    return Object.fromEntries(isHolder ? [...inner, [placeKey, `${root}#${at}`]] : inner);
  };
  return walk(schema, "") as JsonObject;
}
