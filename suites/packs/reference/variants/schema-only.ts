import type { Variant } from "./variant.ts";

export const schemaOnly: Variant = {
  name: "schema-only",
  description: "checks the schemas and none of the semantic rules",
  schemaOnly: true,
};
