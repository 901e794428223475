import { inspect } from "node:util";

/** Makes text from a target safe for a message: shortens it, and makes control characters and direction marks visible. */
export function quote(text: string, length = 200): string {
  const shortened = text.length > length ? `${text.slice(0, length)}… (${text.length} characters)` : text;
  return shortened.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (character) => {
    const shortEscape = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[character];
    return shortEscape ?? `\\u{${(character.codePointAt(0) as number).toString(16)}}`;
  });
}

/** Shows any value on one short line. */
export function show(value: unknown): string {
  return quote(
    inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, maxStringLength: 100, maxArrayLength: 5 }),
  );
}

/** Shows an error on one line, with the topmost position of its stack. */
export function showError(error: unknown): string {
  if (!(error instanceof Error)) return show(error);
  const position = syntaxErrorPosition(error) ?? /^\s+at (.+)$/m.exec(error.stack ?? "")?.[1];
  return quote(`${error.name}: ${error.message}${position === undefined ? "" : ` (at ${position})`}`, 400);
}

/** Finds the position of the error in a file that cannot be parsed: Node puts the file and the line before the stack, and the stack contains only Node's own lines. */
function syntaxErrorPosition({ name, stack = "" }: Error): string | undefined {
  const [, file, line] = (name === "SyntaxError" && /^(?:file:\/\/)?(\/?[^\n]+):(\d+)\n/.exec(stack)) || [];
  return file === undefined ? undefined : `${file}:${line}`;
}
