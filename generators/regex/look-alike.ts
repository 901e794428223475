const similar: Record<string, string> = { a: "а", e: "е", o: "о", c: "с", p: "р", i: "і", s: "ѕ", "0": "O", "1": "l" };

/** The same text with one letter exchanged for its Cyrillic or other twin. */
export function lookAlike(text: string): string {
  const index = [...text].findIndex((character) => similar[character] !== undefined);
  return index < 0
    ? `${text}\u200b`
    : [...text].map((character, at) => (at === index ? similar[character] : character)).join("");
}
