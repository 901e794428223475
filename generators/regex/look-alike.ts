const similarLetters: Record<string, string> = {
  a: "а",
  e: "е",
  o: "о",
  c: "с",
  p: "р",
  i: "і",
  s: "ѕ",
  "0": "O",
  "1": "l",
};

/** Replaces one letter of a string by a similar one, such as its Cyrillic twin. */
export function lookAlike(text: string): string {
  const index = [...text].findIndex((character) => similarLetters[character] !== undefined);
  return index < 0
    ? `${text}\u200b`
    : [...text].map((character, position) => (position === index ? similarLetters[character] : character)).join("");
}

/** Letters that equal an ASCII letter in a case-insensitive comparison: the long s, and the upper-case kelvin sign. */
const foldedLetters: readonly [letter: string, twin: string][] = [
  ["s", "\u017f"],
  ["K", "\u212a"],
];

/** Replaces an ASCII letter of a matching string by its case-insensitive twin, or else by a letter that only looks the same. */
export function otherLetter(pattern: RegExp, text: string): string {
  const characters = [...text];
  const swap = (index: number, replacement: string): string =>
    [...characters.slice(0, index), replacement, ...characters.slice(index + 1)].join("");
  for (const [letter, twin] of foldedLetters)
    for (const index of characters.keys())
      if (pattern.test(swap(index, letter)) && !pattern.test(swap(index, twin))) return swap(index, twin);
  return lookAlike(text);
}
