import type { RawFamily } from "../raw.ts";

const forms: readonly [detail: string, written: string, says: string][] = [
  ["infinite-as-a-double", "1e400", "the number 1e400"],
  ["minus-infinite-as-a-double", "-1e400", "the number -1e400"],
  ["400-digits", `1${"0".repeat(400)}`, "an integer of 401 digits"],
  ["400-decimals", `0.${"3".repeat(400)}`, "a number with 400 decimals"],
  ["zero-as-a-double", "1e-400", "the number 1e-400"],
  ["huge-exponent", "1e9999999999", "an exponent of ten digits"],
];

/** Integers that a double cannot represent exactly. */
const integers: readonly [detail: string, written: string][] = [
  ["beyond-2-53", "9007199254740993"],
  ["beyond-2-63", "9223372036854775808"],
  ["beyond-2-64", "18446744073709551617"],
];

/** Numbers that many readers cannot represent. */
export const bigNumberFamily: RawFamily = {
  name: "large-number",
  *propose({ spot }) {
    const numberPlace = spot([1e308, -1e308, 0.5]);
    for (const [detail, written, says] of numberPlace === undefined ? [] : forms) {
      const { parent, at, before, after } = numberPlace as NonNullable<typeof numberPlace>;
      yield { parent, detail, text: before + written + after, says: `has ${says}`, issue: "big", at };
    }
    const integerPlace = spot([2 ** 53, 1e20], [0.5]) ?? spot([2 ** 53, 1e20]);
    for (const [detail, written] of integerPlace === undefined ? [] : integers) {
      const { parent, at, before, after } = integerPlace as NonNullable<typeof integerPlace>;
      yield {
        parent,
        detail,
        text: before + written + after,
        says: `has the integer ${written}`,
        issue: "inexact",
        at,
        needs: ["big-numbers"],
      };
    }
  },
};
