import type { Variant } from "./variant.ts";

export const utf16Length: Variant = {
  name: "utf16-length",
  description: "counts the length of a string in UTF-16 units instead of code points",
  // A code point is at least one unit, so a minimum of 1 makes no difference.
  affects: (schema) => "maxLength" in schema || Number(schema.minLength) > 1,
  options: { unicode: false },
};
