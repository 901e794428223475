import { formatHolds } from "../formats/check.ts";
import { scripts } from "../regex/digits.ts";

/**
 * An equally good text that is as near to a right one as possible. If rules also judge the value, it is a right text with one wrong character, if one is
 * equally good.
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
 * A text with as much of a right time as possible: its beginning, then its end. Many implementations refuse a time that is invalid in any case, such as
 * one in month 00, so it would not reveal the other mistake. Other texts stay as they are.
 */
function nearerTime(text: string, right: unknown, isAsGood: (text: string) => boolean): string {
  if (!isTime(right)) return text;
  const beginnings = commonLengths(text, right).map((length) => right.slice(0, length) + text.slice(length));
  const begun = beginnings.find(isAsGood) ?? text;
  const ended = commonLengths(begun, right).map(
    (length) => begun.slice(0, begun.length - length) + right.slice(-length),
  );
  return ended.find(isAsGood) ?? begun;
}

/** Whether a value is a time, with parts that another time can share. */
export function isTime(value: unknown): value is string {
  return typeof value === "string" && formatHolds("date-time", value) === true;
}

/** For longer texts, no near ones are tried. */
const longestRight = 40;

/** The maximum number of foreign characters that are tried in a right text. */
const maxOther = 3;

/**
 * Texts that differ from a right one in one character: a digit of another script, a character of the other text that the right one lacks, a missing
 * character, or an additional one. A reader that accepts them as the right text finds no other reason to refuse them.
 */
function* nearTexts(right: string, text: string): Generator<string> {
  const characters = [...right];
  if (characters.length > longestRight) return;
  const replaceAt = (index: number, put: string, over = 1): string =>
    [...characters.slice(0, index), put, ...characters.slice(index + over)].join("");
  for (const digits of Object.values(scripts))
    for (const [index, each] of characters.entries())
      if (/^[0-9]$/.test(each)) yield replaceAt(index, digits[Number(each)] as string);
  const other = [...new Set(text)].filter((each) => !characters.includes(each)).slice(0, maxOther);
  for (const index of characters.keys()) for (const each of other) yield replaceAt(index, each);
  for (const index of characters.keys()) yield replaceAt(index, "");
  for (const index of [...characters.keys(), characters.length])
    for (const each of other) yield replaceAt(index, each, 0);
}

/** Lengths from the shorter text's length down to one. */
function commonLengths(one: string, other: string): number[] {
  const shorter = Math.min(one.length, other.length);
  return Array.from({ length: shorter }, (_, index) => shorter - index);
}
