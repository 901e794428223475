import { type Json, pointer } from "../../schemas/index.ts";

/** A JSON text, and the places of its values and member names, by JSON Pointer in the order of the text. */
export interface Layout {
  text: string;
  values: ReadonlyMap<string, Span>;
  names: ReadonlyMap<string, Span>;
}

/** Offsets in UTF-16 code units: the first, and the first after it. */
export interface Span {
  start: number;
  end: number;
}

/** How to write a value. A missing member means the style of `JSON.stringify`. */
export interface Style {
  /** Text between any two tokens. */
  between?: string;
  name?(text: string): string;
  string?(text: string): string;
  number?(value: number): string;
  reversed?: boolean;
}

/** Writes a value as a text. */
export function write(value: Json, style: Style = {}): Layout {
  const { between = "", name = quoteText, string = quoteText, number = String, reversed = false } = style;
  const values = new Map<string, Span>();
  const names = new Map<string, Span>();
  let text = "";
  put(value, "");
  return { text, values, names };

  function token(written: string): Span {
    if (text !== "") text += between;
    const start = text.length;
    text += written;
    return { start, end: text.length };
  }

  function put(there: Json, at: string): void {
    if (typeof there !== "object" || there === null) {
      const scalar =
        typeof there === "string" ? string(there) : typeof there === "number" ? number(there) : String(there);
      values.set(at, token(scalar));
      return;
    }
    const isArray = Array.isArray(there);
    const entries = Object.entries(there);
    const span = token(isArray ? "[" : "{");
    values.set(at, span);
    for (const [index, [key, each]] of (reversed && !isArray ? entries.reverse() : entries).entries()) {
      const place = pointer.append(at, key);
      if (index > 0) token(",");
      if (!isArray) {
        names.set(place, token(name(key)));
        token(":");
      }
      put(each, place);
    }
    span.end = token(isArray ? "]" : "}").end;
  }
}

export function quoteText(text: string): string {
  return JSON.stringify(text);
}

/** The text with something put in at an offset. */
export function insert(text: string, offset: number, what: string): string {
  return text.slice(0, offset) + what + text.slice(offset);
}

/** The text with an insertion between its first two tokens: before the value if that is one token, such as a string. */
export function insertBetween(text: string, what: string): string {
  return insert(text, isCompound(text) ? 1 : 0, what);
}

/** Whether a JSON text without white space around it is an object or an array. */
export function isCompound(text: string): boolean {
  return text.startsWith("{") || text.startsWith("[");
}

/** The bytes of texts, in UTF-8, and of bytes given as numbers. */
export function bytes(...parts: (string | readonly number[])[]): Uint8Array {
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from([...part]))));
}

/** A string with every UTF-16 code unit as `\uXXXX`, and characters outside of the basic plane as surrogate pairs. */
export function escapedLower(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("")}"`;
}

/** The same with hexadecimal digits in upper case. */
export function escapedUpper(text: string): string {
  return escapedLower(text).replaceAll(/[a-f]/g, (digit) => digit.toUpperCase());
}
