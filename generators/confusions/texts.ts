import type { Json } from "../../schemas/index.ts";
import { type Confusion, type MemberPlace, valueConfusion } from "./confusion.ts";

const isText = ({ types }: MemberPlace): boolean => types.has("string") || types.size === 0;
const digit = /\p{Nd}/gu;
const zerosOfScripts = [0x0660, 0x0966, 0xff10];

/** Strings that the regular expressions of some languages match differently. */
export const texts: readonly Confusion[] = [
  valueConfusion({
    name: "line-feed-at-end",
    says: "the end of a pattern is found before a last line feed",
    shown: "ends with a line feed, which `$` ignores in some languages",
    appliesTo: (place) => isText(place) && place.patterns.some((pattern) => pattern.endsWith("$")),
    value: (value) => (typeof value === "string" && value.endsWith("\n") ? { value: value.slice(0, -1) } : undefined),
    near: (value) => (typeof value === "string" ? [`${value}\n`] : []),
  }),
  valueConfusion({
    name: "digits-of-scripts",
    says: "a digit of another script is accepted as an ASCII digit",
    shown: "has a digit of another script, which some readers accept as an ASCII digit",
    appliesTo: (place) => isText(place) && place.patterns.some((pattern) => /\\d|0-9/.test(pattern)),
    value: (value) => (hasOtherDigit(value) ? { value: value.replace(digit, asciiDigit) } : undefined),
    near: (value) => (typeof value === "string" ? [...withOtherDigits(value)] : []),
  }),
];

function hasOtherDigit(value: Json): value is string {
  return typeof value === "string" && [...value.matchAll(digit)].some(([each]) => each > "9");
}

/** Returns the ASCII digit for a digit of another script. The ten digits of a script are adjacent, and no digit precedes the first. */
function asciiDigit(otherDigit: string): string {
  const code = otherDigit.codePointAt(0) as number;
  let zeroCode = code;
  while (code - zeroCode < 9 && /\p{Nd}/u.test(String.fromCodePoint(zeroCode - 1))) zeroCode -= 1;
  return String(code - zeroCode);
}

/** Yields copies of a string with its last digit, or its first digit, in another script. */
function* withOtherDigits(text: string): Generator<string> {
  const places = [...text.matchAll(/[0-9]/g)].map(({ index }) => index);
  for (const place of new Set([places.at(-1), places[0]]))
    if (place !== undefined)
      for (const zero of zerosOfScripts)
        yield text.slice(0, place) + String.fromCodePoint(zero + Number(text[place])) + text.slice(place + 1);
}
