import { formatHolds } from "../formats/check.ts";
import { scripts } from "../regex/digits.ts";

/**
 * Finds a string that is as similar to a valid one as possible and that `isAsGood` accepts. If rules also judge the value, it first tries the valid string with
 * one wrong character.
 */
export function moveNearer(
  text: string,
  validValue: unknown,
  isRuled: boolean,
  isAsGood: (text: string) => boolean,
): string {
  if (isRuled && typeof validValue === "string")
    for (const nearText of nearTexts(validValue, text)) if (isAsGood(nearText)) return nearText;
  return nearerTime(text, validValue, isAsGood);
}

/**
 * Replaces as much of a string as possible by the beginning, and then the end, of a valid time. Many implementations refuse a month 00 anyway, so a time with
 * it would not reveal another mistake. Without a valid time, the string is unchanged.
 */
function nearerTime(text: string, validValue: unknown, isAsGood: (text: string) => boolean): string {
  if (!isTime(validValue)) return text;
  const beginnings = commonLengths(text, validValue).map((length) => validValue.slice(0, length) + text.slice(length));
  const withBeginning = beginnings.find(isAsGood) ?? text;
  const withBoth = commonLengths(withBeginning, validValue).map(
    (length) => withBeginning.slice(0, withBeginning.length - length) + validValue.slice(-length),
  );
  return withBoth.find(isAsGood) ?? withBeginning;
}

/** Whether a value is a valid `date-time`. */
export function isTime(value: unknown): value is string {
  return typeof value === "string" && formatHolds("date-time", value) === true;
}

/** The maximum length of a valid string for which similar strings are tried. */
const maxValidLength = 40;

/** The maximum number of foreign characters that are tried in a valid string. */
const maxForeignCharacters = 3;

/**
 * Yields strings that differ from a valid one in one character: a digit of another script, a foreign character (of `text` but not of the valid
 * string), a missing character, or an additional one. A reader that wrongly accepts such a string has no other reason to refuse it.
 */
function* nearTexts(validText: string, text: string): Generator<string> {
  const characters = [...validText];
  if (characters.length > maxValidLength) return;
  const replaceAt = (index: number, inserted: string, removed = 1): string =>
    [...characters.slice(0, index), inserted, ...characters.slice(index + removed)].join("");
  for (const digits of Object.values(scripts))
    for (const [index, character] of characters.entries())
      if (/^[0-9]$/.test(character)) yield replaceAt(index, digits[Number(character)] as string);
  const foreignCharacters = [...new Set(text)]
    .filter((character) => !characters.includes(character))
    .slice(0, maxForeignCharacters);
  for (const index of characters.keys()) for (const character of foreignCharacters) yield replaceAt(index, character);
  for (const index of characters.keys()) yield replaceAt(index, "");
  for (const index of [...characters.keys(), characters.length])
    for (const character of foreignCharacters) yield replaceAt(index, character, 0);
}

/** Lists all lengths from that of the shorter string down to one. */
function commonLengths(first: string, second: string): number[] {
  const shorter = Math.min(first.length, second.length);
  return Array.from({ length: shorter }, (_, index) => shorter - index);
}
