import type { Variant } from "./variant.ts";

export const noFormats: Variant = {
  name: "no-formats",
  description: "ignores `format`",
  lacks: "formats",
  touches: (schema) => "format" in schema,
  conforms: (profile) => profile.formats === "annotate",
  options: { validateFormats: false },
};
