import { withCoercion } from "./coercion.ts";
import type { Variant } from "./variant.ts";

export const integerStrings: Variant = {
  name: "integer-strings",
  description: 'accepts the text "300" as the integer 300',
  affects: (schema) => schema.type === "integer",
  wrapJudge: withCoercion((value) => (typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : undefined)),
};
