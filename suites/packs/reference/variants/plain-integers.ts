import { respellNumerals } from "./numerals.ts";
import type { Variant } from "./variant.ts";

/** Behaves like languages that infer the type of a number from its spelling, where `1.0` is not an integer. */
export const plainIntegers: Variant = {
  name: "plain-integers",
  description: "refuses 1.0 and 1e0 for 1: an integer must consist of digits only",
  respellText(text) {
    let isPlain = true;
    respellNumerals(text, (numeral) => {
      if (/[.eE]/.test(numeral) && Number.isInteger(Number(numeral))) isPlain = false;
      return numeral;
    });
    return isPlain ? text : undefined;
  },
};
