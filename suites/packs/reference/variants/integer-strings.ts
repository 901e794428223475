import { withCoercion } from "./coercion.ts";
import type { Variant } from "./variant.ts";

export const integerStrings: Variant = {
  name: "integer-strings",
  description: 'accepts the text "300" as the integer 300',
  touches: (schema) => schema.type === "integer",
  around: withCoercion((value) => (typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : undefined)),
};
