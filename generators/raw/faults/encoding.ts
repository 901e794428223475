import type { RawFamily } from "../raw.ts";
import { bytes } from "../text.ts";

/** The text in an encoding other than UTF-8. */
export const encodingFamily: RawFamily = {
  name: "encoding",
  *propose({ minimal: parent }) {
    const littleEndian = Buffer.from(parent.layout.text, "utf16le");
    const bigEndian = Buffer.from(littleEndian).swap16();
    const forms: [detail: string, text: Uint8Array, says: string][] = [
      ["utf-16-le", bytes([0xff, 0xfe], [...littleEndian]), "is UTF-16, low bytes first, with a byte order mark"],
      ["utf-16-be", bytes([0xfe, 0xff], [...bigEndian]), "is UTF-16, high bytes first, with a byte order mark"],
      ["utf-16-le-unmarked", bytes([...littleEndian]), "is UTF-16, low bytes first, without a byte order mark"],
    ];
    for (const [detail, text, says] of forms) yield { parent, detail, text, says, issue: "encoding" };
  },
};
