type Digits = readonly string[];

const from = (zero: number): Digits => Array.from({ length: 10 }, (_, digit) => String.fromCodePoint(zero + digit));

/** The digits from 0 to 9 of scripts, which an engine may accept as digits. */
export const scripts: Record<"arabic" | "persian" | "wide", Digits> = {
  arabic: from(0x0660),
  persian: from(0x06f0),
  wide: from(0xff10),
};
