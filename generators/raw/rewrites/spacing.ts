import type { RawFamily } from "../raw.ts";
import { writeText } from "../text.ts";

/** White space at every possible place, and none at all. */
export const spacingFamily: RawFamily = {
  name: "spacing",
  *propose({ minimal: parent }) {
    const { value, layout } = parent;
    const indented = JSON.stringify(value, null, 2);
    const writeWithBetween = (between: string): string => writeText(value, { between }).text;
    const forms: [detail: string, text: string, says: string][] = [
      ["none", layout.text, "has no white space"],
      ["indented", `${indented}\n`, "is indented"],
      ["indented-by-tabs", JSON.stringify(value, null, "\t"), "is indented by tabs"],
      ["carriage-returns", indented.replaceAll("\n", "\r\n"), "ends its lines with carriage return and line feed"],
      ["spaces-everywhere", writeWithBetween("  "), "has spaces between all tokens"],
      ["all-kinds-everywhere", writeWithBetween(" \t\r\n"), "has all kinds of white space between all tokens"],
      ["carriage-returns-alone", writeWithBetween("\r"), "has a carriage return between all tokens"],
      ["before", ` \t\r\n${layout.text}`, "begins with white space"],
      ["after", `${layout.text} \t\r\n`, "ends with white space"],
      ["much-after", layout.text + " ".repeat(1000), "ends with a thousand spaces"],
    ];
    for (const [detail, text, says] of forms) yield { parent, detail, text, says, issue: "rewritten", tags: ["space"] };
  },
};
