import { formatHolds } from "../formats/check.ts";

/**
 * A text with as much of a right time as it may have: its beginning, and then its end. Of a time that is invalid anyway, such as one in a month 00,
 * many refuse everything, and whoever lets another mistake pass is not found. Any other text stays as it is.
 */
export function nearerTime(text: string, right: unknown, isAsGood: (text: string) => boolean): string {
  if (typeof right !== "string" || formatHolds("date-time", right) !== true) return text;
  const beginnings = lengths(text, right).map((length) => right.slice(0, length) + text.slice(length));
  const begun = beginnings.find(isAsGood) ?? text;
  const ended = lengths(begun, right).map((length) => begun.slice(0, begun.length - length) + right.slice(-length));
  return ended.find(isAsGood) ?? begun;
}

/** From the length of the shorter one down to one character. */
function lengths(one: string, other: string): number[] {
  const most = Math.min(one.length, other.length);
  return Array.from({ length: most }, (_, index) => most - index);
}
