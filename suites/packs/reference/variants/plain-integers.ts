import { respellNumerals } from "./numerals.ts";
import type { Variant } from "./variant.ts";

/** As in languages that infer a number's type from its spelling: `1.0` is not an integer there. */
export const plainIntegers: Variant = {
  name: "plain-integers",
  description: "refuses 1.0 and 1e0 for 1: an integer must consist of digits only",
  read(text) {
    let plain = true;
    respellNumerals(text, (numeral) => {
      if (/[.eE]/.test(numeral) && Number.isInteger(Number(numeral))) plain = false;
      return numeral;
    });
    return plain ? text : undefined;
  },
};
