import { respelled } from "./numerals.ts";
import type { Variant } from "./variant.ts";

/** As where the type of a number follows from how it is spelled: `1.0` is no integer there, and no other number either. */
export const plainIntegers: Variant = {
  name: "plain-integers",
  description: "refuses 1.0 and 1e0 for 1: an integer has digits only",
  read(text) {
    let plain = true;
    respelled(text, (numeral) => {
      if (/[.eE]/.test(numeral) && Number.isInteger(Number(numeral))) plain = false;
      return numeral;
    });
    return plain ? text : undefined;
  },
};
