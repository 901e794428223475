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

/** The same text with one letter exchanged for its Cyrillic or other twin. */
export function lookAlike(text: string): string {
  const index = [...text].findIndex((character) => similarLetters[character] !== undefined);
  return index < 0
    ? `${text}\u200b`
    : [...text].map((character, at) => (at === index ? similarLetters[character] : character)).join("");
}

/** Non-ASCII letters that equal an ASCII letter in a case-insensitive comparison: the long s, which is lower case, and the kelvin sign, which is upper case. */
const foldedLetters: readonly [letter: string, twin: string][] = [
  ["s", "\u017f"],
  ["K", "\u212a"],
];

/** A text that a pattern matches with such a letter instead of the ASCII one, or else with a letter that only looks the same. */
export function otherLetter(pattern: RegExp, text: string): string {
  const characters = [...text];
  const swap = (index: number, put: string): string =>
    [...characters.slice(0, index), put, ...characters.slice(index + 1)].join("");
  for (const [letter, twin] of foldedLetters)
    for (const index of characters.keys())
      if (pattern.test(swap(index, letter)) && !pattern.test(swap(index, twin))) return swap(index, twin);
  return lookAlike(text);
}
