import { escapeInvisible } from "./escape.ts";

/** Escapes text for Markdown: characters that could begin markup, a mention or a link are written as entities. */
export function plainMarkup(text: string): string {
  return escapeInvisible(text)
    .replace(/[&<>\\`*_[\]#|~@:!$=+{}^"]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/(www)\./gi, "$1&#46;");
}

/** Formats a sentence that may contain code between two backticks, as in specifications. Everything else is escaped. */
export function proseMarkup(text: string): string {
  return text
    .split(/(?<!`)`([^`\n]+)`(?!`)/)
    .map((part, index) => (index % 2 === 1 ? codeMarkup(part) : plainMarkup(part)))
    .join("");
}

/** Formats code in a line of Markdown, between more backticks than it contains in a row. Use `codeTag` in tables and HTML. */
export function codeMarkup(text: string): string {
  const escaped = escapeInvisible(text);
  if (escaped.trim() === "") return codeTag(text);
  const fence = "`".repeat(Math.max(0, ...(escaped.match(/`+/g) ?? []).map(({ length }) => length)) + 1);
  // Markdown strips one space from each end, so a backtick or space at an end needs padding.
  const padding = /^[ `]|[ `]$/.test(escaped) ? " " : "";
  return `${fence}${padding}${escaped}${padding}${fence}`;
}

/** Formats code as an HTML tag, because a table would split a code span at `|`, and Markdown does not recognize spans within HTML. */
export function codeTag(text: string): string {
  return `<code>${plainMarkup(text)}</code>`;
}
