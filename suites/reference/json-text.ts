import type { Json } from "../../schemas/index.ts";

/** Deeper texts are refused unread: no message of any protocol comes near, and a hostile one costs memory by the bracket. */
export const depthLimit = 10_000;

/**
 * The value of a JSON text (RFC 8259), read strictly: a repeated member name, a lone surrogate and a byte order mark are refused.
 * Throws a SyntaxError.
 */
export function parseJson(text: string): Json {
  const fault = scan(text);
  if (fault === "depth") throw new SyntaxError(`is nested more than ${depthLimit} levels deep`);
  const value = JSON.parse(text) as Json;
  if (fault !== undefined) throw new SyntaxError(fault);
  return value;
}

/** What `JSON.parse` lets pass. Brackets, strings and colons are enough to see it; the text need not be JSON. */
function scan(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (char === "{") open.push(new Set());
    else if (char === "[") open.push(undefined);
    else if (char === "}" || char === "]") open.pop();
    else if (char === '"') {
      const end = endOfString(text, index);
      const names = open.at(-1);
      const isName = names !== undefined && text[pastSpace(text, end)] === ":";
      const token = text.slice(index, end);
      if (isName || token.includes("\\u")) {
        const string = unescaped(token);
        if (/\p{Surrogate}/u.test(string)) return `has a lone surrogate in the string at offset ${index}`;
        if (isName && names.has(string)) return `repeats the member name ${token} at offset ${index}`;
        if (isName) names.add(string);
      }
      index = end - 1;
    }
    if (open.length > depthLimit) return "depth";
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return Math.min(index + 1, text.length);
}

function pastSpace(text: string, start: number): number {
  let index = start;
  while (index < text.length && " \t\n\r".includes(text[index] as string)) index += 1;
  return index;
}

function unescaped(token: string): string {
  if (!token.includes("\\")) return token.slice(1, -1);
  try {
    return JSON.parse(token) as string;
  } catch {
    return token;
  }
}
