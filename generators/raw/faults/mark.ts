import type { RawFamily } from "../raw.ts";
import { insertBetween } from "../text.ts";

const mark = "\ufeff";

/** Byte order marks. A parser may ignore one mark at the start; any other mark makes the text malformed. */
export const byteOrderMarkFamily: RawFamily = {
  name: "byte-order-mark",
  *propose({ minimal: parent }) {
    const { text } = parent.layout;
    yield { parent, detail: "before", text: mark + text, says: "begins with a byte order mark", issue: "mark" };
    const malformed: [detail: string, text: string, says: string][] = [
      ["twice-before", mark + mark + text, "begins with two byte order marks"],
      ["between", insertBetween(text, mark), "has a byte order mark between tokens"],
      ["after", text + mark, "ends with a byte order mark"],
    ];
    for (const [detail, marked, says] of malformed)
      yield { parent, detail, text: marked, says, issue: "malformed", clause: "RFC 8259, 2" };
  },
};
