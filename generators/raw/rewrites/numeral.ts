import type { RawContext, RawFamily } from "../raw.ts";
import { writeText } from "../text.ts";

type Respell = (value: number) => string;

/** Spellings of an integer other than zero. In JSON Schema, an integer in any spelling is an integer. */
const integers: readonly [detail: string, spell: Respell, says: string][] = [
  ["point-zero", (value) => `${value}.0`, "with a point and a zero"],
  ["exponent-zero", (value) => `${value}e0`, "with the exponent e0"],
  ["capital-exponent", (value) => `${value}E0`, "with the exponent E0"],
  ["signed-exponent", (value) => `${value}e+0`, "with the exponent e+0"],
  ["shifted-down", (value) => `${value}0e-1`, "ten times as large, with the exponent e-1"],
  ["shifted-up", (value) => `${value / 10}e1`, "a tenth as large, with the exponent e1"],
  ["zeros", (value) => `${value}.${"0".repeat(30)}`, "with thirty decimals"],
];

const zeros: readonly [detail: string, spell: Respell, says: string][] = [
  ["minus-zero", () => "-0", "as -0"],
  ["zero-point-zero", () => "0.0", "as 0.0"],
  ["zero-with-exponent", () => "0e5", "as 0e5"],
];

const fractions: readonly [detail: string, spell: Respell, says: string][] = [
  ["trailing-zero", (value) => `${value}0`, "with a zero at the end"],
  ["fraction-capital-exponent", (value) => `${value}E0`, "with the exponent E0"],
  ["long-exponent", (value) => `${value}e-00`, "with the exponent e-00"],
];

/** Numbers in another spelling: existing numbers, or else an example. */
export const numeralFamily: RawFamily = {
  name: "numeral",
  dependsOnMembers: true,
  *propose({ find, spot }: RawContext) {
    const kinds: [typeof integers, (value: number) => boolean, example: number, what: string][] = [
      [integers, (value) => Number.isSafeInteger(value) && value !== 0, 60, "integers"],
      [zeros, (value) => value === 0, 0, "zeros"],
      [fractions, (value) => /^-?\d+\.\d+$/.test(String(value)), 0.25, "fractions"],
    ];
    for (const [forms, isOfKind, example, what] of kinds) {
      const existing = find((value) => typeof value === "number" && isOfKind(value));
      const place = existing ?? spot([example]);
      if (place === undefined) continue;
      const { parent, at, before, after } = place;
      for (const [detail, spell, says] of forms) {
        const number = (value: number): string => (isOfKind(value) ? spell(value) : String(value));
        const text =
          existing === undefined ? before + spell(example) + after : writeText(parent.value, { number }).text;
        const common = { parent, detail, text, at, issue: "rewritten" } as const;
        yield { ...common, says: `spells ${what} ${says}`, tags: ["number-spelling"] };
      }
    }
  },
};
