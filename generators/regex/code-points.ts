const highSurrogate = /[\ud800-\udbff]/;

/** Counts the Unicode code points of a string, as JSON Schema does. */
export function lengthOf(text: string): number {
  // Most strings have no surrogate pair, and the engine's test is faster than counting.
  if (!highSurrogate.test(text)) return text.length;
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) index += 1;
    length += 1;
  }
  return length;
}

/** Whether a string has at least this many code points. Counts only if the number of UTF-16 units does not decide it. */
export function hasAtLeast(text: string, count: number): boolean {
  return text.length >= count && (text.length >= 2 * count || lengthOf(text) >= count);
}

/** Whether a string has at most this many code points. */
export function hasAtMost(text: string, count: number): boolean {
  return text.length <= count || (text.length <= 2 * count && lengthOf(text) <= count);
}
