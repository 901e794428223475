import type { RawFamily } from "../raw.ts";

/** The text of a number, and the number that a tolerant reader would read. */
const forms: readonly [detail: string, written: string, means: number][] = [
  ["nan", "NaN", 7],
  ["infinity", "Infinity", 7],
  ["negative-infinity", "-Infinity", -7],
  ["hexadecimal", "0x1F", 31],
  ["octal", "0o17", 15],
  ["leading-zero", "017", 17],
  ["leading-plus", "+7", 7],
  ["leading-point", ".5", 0.5],
  ["trailing-point", "7.", 7],
  ["no-exponent", "7e", 7],
  ["grouped", "1_000", 1000],
  ["suffixed", "7n", 7],
  ["spaced", "- 7", -7],
  ["two-signs", "--7", 7],
];

/** Numbers in notations other than JSON's. */
export const numberFamily: RawFamily = {
  name: "number",
  *propose({ spot }) {
    for (const [detail, written, means] of forms) {
      const place = spot([means]);
      if (place === undefined) continue;
      yield {
        parent: place.parent,
        detail,
        text: place.before + written + place.after,
        says: `has ${written} for a number`,
        issue: "extended",
        clause: "RFC 8259, 6",
        at: place.at,
      };
    }
  },
};
