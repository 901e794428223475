import type { RawFamily } from "../raw.ts";

/** Text before or after the single value of a JSON text. */
export const trailingDataFamily: RawFamily = {
  name: "trailing-data",
  *propose({ minimal: parent }) {
    const { text } = parent.layout;
    const forms: [detail: string, text: string, says: string][] = [
      ["value", `${text} {}`, "goes on with a second value"],
      ["text", `${text}\n${text}\n`, "is two JSON texts, one a line"],
      ["comma", `${text},`, "goes on with a comma"],
      ["semicolon", `${text};`, "goes on with a semicolon"],
      ["brace", `${text}}`, "goes on with a closing brace"],
      ["bracket", `${text}]`, "goes on with a closing bracket"],
      ["word", `${text} end`, "goes on with a word"],
      ["nul", `${text}\u0000`, "goes on with a zero byte"],
      ["comma-before", `,${text}`, "begins with a comma"],
      ["guard-before", `)]}',\n${text}`, "begins with a guard against script inclusion"],
      ["record-separator-before", `\u001e${text}\n`, "is a JSON text sequence (RFC 7464)"],
    ];
    for (const [detail, written, says] of forms)
      yield { parent, detail, text: written, says, issue: "extended", clause: "RFC 8259, 2" };
  },
};
