import type { RawFamily } from "../raw.ts";

/** Texts that end too early. */
export const truncatedFamily: RawFamily = {
  name: "truncated",
  *propose({ minimal: parent }) {
    const { text, names } = parent.layout;
    const [name] = names.values();
    const comma = text.indexOf(",");
    const quote = text.lastIndexOf('"');
    const ends: [detail: string, end: number, says: string][] = [
      ["after-brace", 1, "ends after its first brace"],
      ["in-name", name === undefined ? 0 : name.end - 1, "ends within a name"],
      ["after-name", name === undefined ? 0 : name.end, "ends after a name"],
      ["after-colon", name === undefined ? 0 : name.end + 1, "ends after a colon"],
      ["after-comma", comma + 1, "ends after a comma"],
      ["in-string", quote, "ends within a string"],
      ["before-end", text.length - 1, "lacks its last character"],
    ];
    for (const [detail, end, says] of ends) {
      if (end > 0) yield { parent, detail, text: text.slice(0, end), says, issue: "malformed", clause: "RFC 8259, 2" };
    }
  },
};
