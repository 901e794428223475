import { type Json, pointer } from "../../schemas/index.ts";

/** A JSON text, and the places of its values and member names, by JSON Pointer in the order of the text. */
export interface Layout {
  text: string;
  values: ReadonlyMap<string, Span>;
  names: ReadonlyMap<string, Span>;
}

/** Offsets in UTF-16 code units. The end is exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** How to write a value. The defaults are those of `JSON.stringify`. */
export interface Style {
  /** The text between any two tokens. */
  between?: string;
  name?(text: string): string;
  string?(text: string): string;
  number?(value: number): string;
  reversed?: boolean;
}

/** Writes a value as a JSON text. */
export function writeText(value: Json, style: Style = {}): Layout {
  const { between = "", name = quoteText, string = quoteText, number = String, reversed = false } = style;
  const values = new Map<string, Span>();
  const names = new Map<string, Span>();
  let text = "";
  writeValue(value, "");
  return { text, values, names };

  function addToken(token: string): Span {
    if (text !== "") text += between;
    const start = text.length;
    text += token;
    return { start, end: text.length };
  }

  function writeScalar(scalar: string | number | boolean | null): string {
    if (typeof scalar === "string") return string(scalar);
    return typeof scalar === "number" ? number(scalar) : String(scalar);
  }

  function writeValue(part: Json, at: string): void {
    if (typeof part !== "object" || part === null) {
      values.set(at, addToken(writeScalar(part)));
      return;
    }
    const isArray = Array.isArray(part);
    const entries = Object.entries(part);
    const orderedEntries = reversed && !isArray ? entries.reverse() : entries;
    const span = addToken(isArray ? "[" : "{");
    values.set(at, span);
    for (const [index, [key, child]] of orderedEntries.entries()) {
      const childPointer = pointer.append(at, key);
      if (index > 0) addToken(",");
      if (!isArray) {
        names.set(childPointer, addToken(name(key)));
        addToken(":");
      }
      writeValue(child, childPointer);
    }
    span.end = addToken(isArray ? "]" : "}").end;
  }
}

export function quoteText(text: string): string {
  return JSON.stringify(text);
}

/** Inserts into a text at an offset. */
export function insert(text: string, offset: number, insertion: string): string {
  return text.slice(0, offset) + insertion + text.slice(offset);
}

/** Inserts after the first token of an object or an array, or before any other value, which is a single token. */
export function insertBetween(text: string, insertion: string): string {
  return insert(text, isCompound(text) ? 1 : 0, insertion);
}

/** Whether a JSON text without white space around it is an object or an array. */
export function isCompound(text: string): boolean {
  return text.startsWith("{") || text.startsWith("[");
}

/** Joins texts, encoded as UTF-8, and bytes. */
export function bytes(...parts: (string | readonly number[])[]): Uint8Array {
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from([...part]))));
}

/** Writes a string literal with every UTF-16 code unit as `\uXXXX`, so that characters beyond U+FFFF are surrogate pairs. */
export function escapedLower(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("")}"`;
}

/** Like `escapedLower`, with hexadecimal digits in upper case. */
export function escapedUpper(text: string): string {
  return escapedLower(text).replaceAll(/[a-f]/g, (digit) => digit.toUpperCase());
}
