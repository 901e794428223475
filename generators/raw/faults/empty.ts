import type { RawFamily } from "../raw.ts";

/** Texts without a value. */
export const emptyTextFamily: RawFamily = {
  name: "empty",
  *propose({ minimal: parent }) {
    const forms: [detail: string, text: string, says: string][] = [
      ["nothing", "", "is empty"],
      ["spaces", "   ", "is nothing but spaces"],
      ["line-feed", "\n", "is nothing but a line feed"],
    ];
    for (const [detail, text, says] of forms)
      yield { parent, detail, text, says, issue: "malformed", clause: "RFC 8259, 2" };
  },
};
