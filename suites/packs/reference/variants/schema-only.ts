import type { Variant } from "./variant.ts";

export const schemaOnly: Variant = {
  name: "schema-only",
  description: "knows the schemas and none of the rules beyond them",
  schemaOnly: true,
};
