import { withCoercion } from "./coerced.ts";
import type { Variant } from "./variant.ts";

/** As in Python: a truth value is an integer there. */
export const booleanIntegers: Variant = {
  name: "boolean-integers",
  description: "takes true for the integer 1 and false for 0",
  touches: (schema) => schema.type === "integer",
  around: withCoercion((value) => (typeof value === "boolean" ? Number(value) : undefined)),
};
