import type { RawFamily } from "../raw.ts";
import { quoteText, writeText } from "../text.ts";

/** Names and strings with other quotation marks, or with none. */
export const quoteFamily: RawFamily = {
  name: "quote",
  *propose({ minimal: parent, spot }) {
    const { value } = parent;
    const forms: [detail: string, text: string, says: string][] = [
      ["single", writeText(value, { name: singleQuoted, string: singleQuoted }).text, "has single quotes"],
      ["single-names", writeText(value, { name: singleQuoted }).text, "has names in single quotes"],
      ["no-quotes-on-names", writeText(value, { name: writeBareName }).text, "has names without quotes"],
      ["typographic", writeText(value, { name: curlQuotes, string: curlQuotes }).text, "has typographic quotes"],
      ["backtick", writeText(value, { string: tickQuotes }).text, "has strings in backticks"],
    ];
    for (const [detail, text, says] of forms)
      yield { parent, detail, text, says, issue: "extended", clause: "RFC 8259, 7" };
    const place = spot(["plain"]);
    if (place === undefined) return;
    yield {
      parent: place.parent,
      detail: "none",
      text: `${place.before}plain${place.after}`,
      says: "has a string without quotes",
      issue: "extended",
      clause: "RFC 8259, 3",
      at: place.at,
    };
  },
};

function quotedContent(text: string): string {
  return quoteText(text).slice(1, -1);
}

function singleQuoted(text: string): string {
  return `'${quotedContent(text).replaceAll("'", "\\'")}'`;
}

function writeBareName(text: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(text) ? text : quoteText(text);
}

function curlQuotes(text: string): string {
  return `\u201c${quotedContent(text)}\u201d`;
}

function tickQuotes(text: string): string {
  return `\`${quotedContent(text)}\``;
}
