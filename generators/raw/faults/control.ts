import type { RawFamily } from "../raw.ts";

const characters: readonly [detail: string, character: string, says: string][] = [
  ["line-feed", "\n", "a line feed"],
  ["carriage-return", "\r", "a carriage return"],
  ["tab", "\t", "a tab"],
  ["nul", "\u0000", "a zero byte"],
  ["escape", "\u001b", "an escape character"],
  ["unit-separator", "\u001f", "the last of the control characters"],
];

/** Unescaped control characters in a string. */
export const controlCharacterFamily: RawFamily = {
  name: "control-character",
  *propose({ spot }) {
    for (const [detail, character, says] of characters) {
      const place = spot([`a${character}b`]);
      if (place === undefined) continue;
      yield {
        parent: place.parent,
        detail,
        text: `${place.before}"a${character}b"${place.after}`,
        says: `has ${says} in a string, unescaped`,
        issue: "extended",
        clause: "RFC 8259, 7",
        at: place.at,
      };
    }
  },
};
