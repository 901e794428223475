import { formatHolds } from "../formats/check.ts";
import { scripts } from "../regex/digits.ts";

/**
 * An equally good text that is as similar to a right one as possible. If rules also judge the value, that is a right text with one wrong character, if such
 * a text is equally good.
 */
export function moveNearer(
  text: string,
  right: unknown,
  isRuled: boolean,
  isAsGood: (text: string) => boolean,
): string {
  if (isRuled && typeof right === "string")
    for (const nearText of nearTexts(right, text)) if (isAsGood(nearText)) return nearText;
  return nearerTime(text, right, isAsGood);
}

/**
 * A text with as much of a right time as possible: its beginning, then its end. Many implementations refuse a time such as one in month 00 anyway,
 * so it would not reveal the other mistake. Other texts stay as they are.
 */
function nearerTime(text: string, right: unknown, isAsGood: (text: string) => boolean): string {
  if (!isTime(right)) return text;
  const beginnings = commonLengths(text, right).map((length) => right.slice(0, length) + text.slice(length));
  const withBeginning = beginnings.find(isAsGood) ?? text;
  const withBoth = commonLengths(withBeginning, right).map(
    (length) => withBeginning.slice(0, withBeginning.length - length) + right.slice(-length),
  );
  return withBoth.find(isAsGood) ?? withBeginning;
}

/** Whether a value is a time, with parts that another time can share. */
export function isTime(value: unknown): value is string {
  return typeof value === "string" && formatHolds("date-time", value) === true;
}

/** For longer right texts, no similar ones are tried. */
const longestRight = 40;

/** The maximum number of the other text's characters that are tried in a right text. */
const maxOther = 3;

/**
 * Texts that differ from a right one in one character: a digit of another script, a character of the other text that the right one lacks, a missing
 * character, or an additional one. A reader that wrongly accepts such a text has no other reason to refuse it.
 */
function* nearTexts(right: string, text: string): Generator<string> {
  const characters = [...right];
  if (characters.length > longestRight) return;
  const replaceAt = (index: number, inserted: string, removed = 1): string =>
    [...characters.slice(0, index), inserted, ...characters.slice(index + removed)].join("");
  for (const digits of Object.values(scripts))
    for (const [index, character] of characters.entries())
      if (/^[0-9]$/.test(character)) yield replaceAt(index, digits[Number(character)] as string);
  const foreignCharacters = [...new Set(text)]
    .filter((character) => !characters.includes(character))
    .slice(0, maxOther);
  for (const index of characters.keys()) for (const character of foreignCharacters) yield replaceAt(index, character);
  for (const index of characters.keys()) yield replaceAt(index, "");
  for (const index of [...characters.keys(), characters.length])
    for (const character of foreignCharacters) yield replaceAt(index, character, 0);
}

/** Lengths from the shorter text's length down to one. */
function commonLengths(first: string, second: string): number[] {
  const shorter = Math.min(first.length, second.length);
  return Array.from({ length: shorter }, (_, index) => shorter - index);
}
