import { escapeInvisible } from "./escape.ts";

/** Text without markup, mentions or links for Markdown: characters that could begin one are written as entities. */
export function plainMarkup(text: string): string {
  return escapeInvisible(text)
    .replace(/[&<>\\`*_[\]#|~@:!$=+{}^"]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/(www)\./gi, "$1&#46;");
}

/** A sentence that may have code in it, between two backticks as sentences in specifications have it; nothing else in it is markup. */
export function proseMarkup(text: string): string {
  return text
    .split(/(?<!`)`([^`\n]+)`(?!`)/)
    .map((part, at) => (at % 2 === 1 ? codeMarkup(part) : plainMarkup(part)))
    .join("");
}

/** Code in a line of Markdown: between more backticks than follow each other in it. Within a table or HTML it is `codeTag`. */
export function codeMarkup(text: string): string {
  const shown = escapeInvisible(text);
  if (shown.trim() === "") return codeTag(text);
  const fence = "`".repeat(Math.max(0, ...(shown.match(/`+/g) ?? []).map(({ length }) => length)) + 1);
  // Markdown removes one space if there is one at both ends.
  const room = /^[ `]|[ `]$/.test(shown) ? " " : "";
  return `${fence}${room}${shown}${room}${fence}`;
}

/** Code as HTML has it: a table would split a span at `|`, and within HTML Markdown reads no span. */
export function codeTag(text: string): string {
  return `<code>${plainMarkup(text)}</code>`;
}
