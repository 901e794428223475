/** Rewrites each number of a JSON text with `spell`. Strings are unchanged. */
export function respellNumerals(text: string, spell: (numeral: string) => string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (part) => (part.startsWith('"') ? part : spell(part)));
}
