import { html as text } from "../../base/text/escape.ts";

/** A statement as markup, with text between backticks as code. */
export function prose(statement: string): string {
  return text(statement).replace(/`([^`]+)`/g, "<code>$1</code>");
}
