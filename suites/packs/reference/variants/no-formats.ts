import type { Variant } from "./variant.ts";

export const noFormats: Variant = {
  name: "no-formats",
  description: "ignores `format`",
  missingEnforcer: "formats",
  affects: (schema) => "format" in schema,
  conforms: (profile) => profile.formats === "annotate",
  options: { validateFormats: false },
};
