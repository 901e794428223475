type Digits = readonly string[];

const digitsFrom = (zero: number): Digits =>
  Array.from({ length: 10 }, (_, digit) => String.fromCodePoint(zero + digit));

/** The digits 0 to 9 of other scripts, which some engines accept as digits. */
export const scripts: Record<"arabic" | "persian" | "wide", Digits> = {
  arabic: digitsFrom(0x0660),
  persian: digitsFrom(0x06f0),
  wide: digitsFrom(0xff10),
};
