import type { JsonObject } from "../../../../schemas/index.ts";
import type { Variant } from "./variant.ts";

/** The keywords newer than draft-07; validators of draft-07 ignore unknown keywords. */
const laterKeywords = [
  "prefixItems",
  "minContains",
  "maxContains",
  "unevaluatedItems",
  "unevaluatedProperties",
  "dependentRequired",
  "dependentSchemas",
];

/** Keywords that are kept beside a `$ref`, because they are not assertions, or because other schemas may refer to them. */
const keptBesideReference = [
  "$ref",
  "$id",
  "$schema",
  "$anchor",
  "$defs",
  "definitions",
  "$comment",
  "title",
  "description",
  "default",
  "examples",
];

export const draft07: Variant = {
  name: "draft-07",
  description: "reads schemas as draft-07: ignores later keywords, and all keywords beside a `$ref`",
  affects: (schema) => Object.keys(readAsDraft07(schema)).length < Object.keys(schema).length,
  rewrite: readAsDraft07,
};

function readAsDraft07(schema: JsonObject): JsonObject {
  const isReference = typeof schema.$ref === "string";
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword]) =>
      isReference ? keptBesideReference.includes(keyword) : !laterKeywords.includes(keyword),
    ),
  ) as JsonObject;
}
