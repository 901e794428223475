import { withCoercion } from "./coercion.ts";
import type { Variant } from "./variant.ts";

/** Behaves like Python, where booleans are integers. */
export const booleanIntegers: Variant = {
  name: "boolean-integers",
  description: "accepts true as the integer 1 and false as 0",
  affects: (schema) => schema.type === "integer",
  wrapJudge: withCoercion((value) => (typeof value === "boolean" ? Number(value) : undefined)),
};
