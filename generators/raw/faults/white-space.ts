import type { RawFamily } from "../raw.ts";
import { insertBetween } from "../text.ts";

const characters: readonly [detail: string, character: string, says: string][] = [
  ["form-feed", "\f", "a form feed"],
  ["vertical-tab", "\v", "a vertical tab"],
  ["nul", "\u0000", "a zero byte"],
  ["no-break-space", "\u00a0", "a no-break space"],
  ["ideographic-space", "\u3000", "an ideographic space"],
  ["zero-width-space", "\u200b", "a zero width space"],
];

/** Characters between tokens that are white space in other notations. JSON has only four. */
export const whiteSpaceFamily: RawFamily = {
  name: "white-space",
  *propose({ minimal: parent }) {
    for (const [detail, character, says] of characters) {
      yield {
        parent,
        detail,
        text: insertBetween(parent.layout.text, character),
        says: `has ${says} between tokens`,
        issue: "extended",
        clause: "RFC 8259, 2",
      };
    }
  },
};
