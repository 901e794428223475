import type { RawFamily } from "../raw.ts";
import { insertBetween } from "../text.ts";

const mark = "\ufeff";

/** Byte order marks: one at the start may be ignored, elsewhere it is a character like any other. */
export const byteOrderMark: RawFamily = {
  name: "byte-order-mark",
  *propose({ minimal: parent }) {
    const { text } = parent.layout;
    yield { parent, detail: "before", text: mark + text, says: "begins with a byte order mark", issue: "mark" };
    const elsewhere: [detail: string, text: string, says: string][] = [
      ["twice-before", mark + mark + text, "begins with two byte order marks"],
      ["between", insertBetween(text, mark), "has a byte order mark between tokens"],
      ["after", text + mark, "ends with a byte order mark"],
    ];
    for (const [detail, written, says] of elsewhere)
      yield { parent, detail, text: written, says, issue: "malformed", clause: "RFC 8259, 2" };
  },
};
