import { escapeInvisible } from "./escape.ts";

/** Text without markup, mentions or links for Markdown: characters that could begin one are written as entities. */
export function plainMarkup(text: string): string {
  return escapeInvisible(text)
    .replace(/[&<>\\`*_[\]#|~@:!$=+{}^"]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/(www)\./gi, "$1&#46;");
}

/** A sentence that may contain code between two backticks, as in specifications; nothing else in it is read as markup. */
export function proseMarkup(text: string): string {
  return text
    .split(/(?<!`)`([^`\n]+)`(?!`)/)
    .map((part, index) => (index % 2 === 1 ? codeMarkup(part) : plainMarkup(part)))
    .join("");
}

/** Code in a line of Markdown, between more backticks than any run in it. In a table or HTML, use `codeTag`. */
export function codeMarkup(text: string): string {
  const escaped = escapeInvisible(text);
  if (escaped.trim() === "") return codeTag(text);
  const fence = "`".repeat(Math.max(0, ...(escaped.match(/`+/g) ?? []).map(({ length }) => length)) + 1);
  // Markdown strips one space from each end, so a backtick or space at an end needs a padding.
  const padding = /^[ `]|[ `]$/.test(escaped) ? " " : "";
  return `${fence}${padding}${escaped}${padding}${fence}`;
}

/** Code as an HTML tag: a table would split a code span at `|`, and Markdown recognises no spans within HTML. */
export function codeTag(text: string): string {
  return `<code>${plainMarkup(text)}</code>`;
}
