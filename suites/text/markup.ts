import { visible } from "./escape.ts";

/** Text in which nothing is markup, a mention or a link for Markdown: what could begin one is written as an entity. */
export function plain(text: string): string {
  return visible(text)
    .replace(/[&<>\\`*_[\]#|~@:!$=+{}^"]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/(www)\./gi, "$1&#46;");
}

export function code(text: string): string {
  return `<code>${plain(text)}</code>`;
}
