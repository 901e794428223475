import type { RawFamily } from "../raw.ts";
import { insertBetween } from "../text.ts";

/** Comments in the syntax of other notations. */
export const commentFamily: RawFamily = {
  name: "comment",
  *propose({ minimal: parent }) {
    const { text } = parent.layout;
    const forms: [detail: string, text: string, says: string][] = [
      ["line", insertBetween(text, " // note\n"), "has a comment after //"],
      ["line-after", `${text} // note`, "has a comment after // at its end"],
      ["block", insertBetween(text, "/* note */"), "has a comment between /* and */"],
      ["block-before", `/* note */${text}`, "begins with a comment between /* and */"],
      ["hash", insertBetween(text, " # note\n"), "has a comment after #"],
    ];
    for (const [detail, written, says] of forms)
      yield { parent, detail, text: written, says, issue: "extended", clause: "RFC 8259, 2" };
  },
};
