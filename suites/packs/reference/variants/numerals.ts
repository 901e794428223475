/** A JSON text with every number written differently; strings are unchanged. */
export function respellNumerals(text: string, spell: (numeral: string) => string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (part) => (part.startsWith('"') ? part : spell(part)));
}
