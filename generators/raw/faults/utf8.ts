import type { RawFamily } from "../raw.ts";
import { bytes } from "../text.ts";

const sequences: readonly [detail: string, bytes: readonly number[], says: string][] = [
  ["continuation-alone", [0x80], "a continuation byte on its own"],
  ["overlong-nul", [0xc0, 0x80], "a zero character in two bytes"],
  ["overlong-quote", [0xc0, 0xa2], "a quotation mark in two bytes"],
  ["surrogate", [0xed, 0xa0, 0x80], "half a surrogate pair in three bytes"],
  ["surrogate-pair", [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], "a surrogate pair in six bytes (CESU-8)"],
  ["cut-short", [0xe2, 0x82], "a sequence without its last byte"],
  ["beyond-unicode", [0xf4, 0x90, 0x80, 0x80], "a sequence beyond U+10FFFF"],
  ["latin-1", [0xe9], "a letter in Latin-1"],
  ["no-utf-8-byte", [0xff], "the byte 0xFF"],
];

/** Strings with bytes that are not UTF-8. */
export const utf8Family: RawFamily = {
  name: "utf-8",
  *propose({ spot }) {
    // A reader that replaces undecodable bytes by U+FFFD reads one of these strings, or one of a length between them.
    const place = spot(["a\ufffdb", "a\ufffd\ufffd\ufffd\ufffd\ufffd\ufffdb"]);
    if (place === undefined) return;
    for (const [detail, sequence, says] of sequences) {
      yield {
        parent: place.parent,
        detail,
        text: bytes(`${place.before}"a`, sequence, `b"${place.after}`),
        says: `has ${says} in a string`,
        issue: "encoding",
        at: place.at,
      };
    }
  },
};
