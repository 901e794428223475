import type { Ajv, FuncKeywordDefinition } from "ajv";
import { canonical } from "./canonical.ts";
import type { Json } from "./json.ts";

const byText: FuncKeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  validate: (isAsked: boolean, items: readonly Json[]) =>
    !isAsked || new Set(items.map(canonical)).size === items.length,
  errors: false,
  error: { message: "must NOT have duplicate items" },
};

/** Has Ajv compare the items of schemas by their texts: by itself it calls the `toString` and `valueOf` of objects, which may be members of an `enum`. */
export function inTexts(ajv: Ajv): void {
  ajv.removeKeyword("uniqueItems").addKeyword(byText);
}
