import type { RawFamily } from "../raw.ts";

/** The content of a string literal, and the string that a tolerant reader would read. */
const forms: readonly [detail: string, written: string, means: string][] = [
  ["hexadecimal", "\\x41", "A"],
  ["octal", "\\101", "A"],
  ["braces", "\\u{41}", "A"],
  ["capital", "\\U00000041", "A"],
  ["three-digits", "\\u041", "A"],
  ["no-digit", "\\u004G", "A"],
  ["single-quote", "\\'", "'"],
  ["letter", "\\A", "A"],
  ["zero", "\\0", "\u0000"],
  ["bell", "\\a", "\u0007"],
  ["vertical-tab", "\\v", "\u000b"],
  ["line-continuation", "A\\\nA", "AA"],
  ["quote", "A\\", "A"],
];

/** Escapes that JSON does not define. */
export const escapeFamily: RawFamily = {
  name: "escape",
  *propose({ spot }) {
    for (const [detail, written, means] of forms) {
      const place = spot([means]);
      if (place === undefined) continue;
      const shown = detail === "line-continuation" ? "\\ before a line feed" : written.replace(/^A/, "");
      yield {
        parent: place.parent,
        detail,
        text: `${place.before}"${written}"${place.after}`,
        says: detail === "quote" ? "has a string with its last quote escaped" : `has the escape ${shown}`,
        issue: "extended",
        clause: "RFC 8259, 7",
        at: place.at,
      };
    }
  },
};
