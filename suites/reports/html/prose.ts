import { escapeHtml as text } from "../../base/text/escape.ts";

/** Formats a statement as HTML, with text between backticks as code. */
export function renderProse(statement: string): string {
  return text(statement).replace(/`([^`]+)`/g, "<code>$1</code>");
}
