import { respellNumerals } from "./numerals.ts";
import type { Variant } from "./variant.ts";

/** Violates only protocols that forbid integers beyond double precision. */
export const roundedIntegers: Variant = {
  name: "rounded-integers",
  description: "reads integers as doubles: 2^53 + 1 becomes 2^53",
  conforms: ({ text }) => text?.rulings.inexact === undefined,
  respellText: (text) =>
    respellNumerals(text, (numeral) => {
      const number = Number(numeral);
      return /^-?\d+$/.test(numeral) && !Number.isSafeInteger(number) && Number.isFinite(number)
        ? BigInt(number).toString()
        : numeral;
    }),
};
