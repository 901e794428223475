import type { Ajv, FuncKeywordDefinition } from "ajv";
import { canonical } from "./canonical.ts";
import type { Json } from "./json.ts";

const uniqueItemsByText: FuncKeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  validate: (mustBeUnique: boolean, items: readonly Json[]) =>
    !mustBeUnique || new Set(items.map(canonical)).size === items.length,
  errors: false,
  error: { message: "must NOT have duplicate items" },
};

/** Makes Ajv compare items by their texts. By default it calls `toString` and `valueOf` of objects, which may be members of an `enum`. */
export function compareItemsAsTexts(ajv: Ajv): void {
  ajv.removeKeyword("uniqueItems").addKeyword(uniqueItemsByText);
}
