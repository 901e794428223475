/** A JSON text with each number in it spelled otherwise; texts within it stay. */
export function respellNumerals(text: string, spell: (numeral: string) => string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (part) => (part.startsWith('"') ? part : spell(part)));
}
