import { respelled } from "./numerals.ts";
import type { Variant } from "./variant.ts";

/** Protocols that forbid integers which a double cannot hold: there it matters that they were seen. */
const exact = ["aaep"];

export const roundedIntegers: Variant = {
  name: "rounded-integers",
  description: "reads integers as doubles: 2^53 + 1 is 2^53 to it",
  conforms: ({ protocol }) => !exact.includes(protocol),
  read: (text) =>
    respelled(text, (numeral) => {
      const number = Number(numeral);
      return /^-?\d+$/.test(numeral) && !Number.isSafeInteger(number) && Number.isFinite(number)
        ? BigInt(number).toString()
        : numeral;
    }),
};
