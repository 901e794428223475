import { compact } from "./compact-json.ts";
import type { Json } from "./json.ts";
import { append, split } from "./pointer.ts";
import { decodeText, placeAt, placesIn, type Text, type TextPlace, unreadableText } from "./text-place.ts";
import { maxValues, refuseMany } from "./value-limit.ts";

/** Deeper texts are refused: no protocol needs them, and in a hostile text each bracket costs memory. */
export const depthLimit = 10_000;

/**
 * Reads a JSON text (RFC 8259) strictly: a repeated member name, half a surrogate pair and a byte order mark are refused too.
 * Throws a usage error that begins with `FILE:LINE:COLUMN`.
 */
export function readJson(source: string | Uint8Array, file: string, options: { depth?: number } = {}): Text {
  const text = decodeText(source, file);
  refuseMany(text, maxValues, file);
  const depth = options.depth ?? depthLimit;
  const known = compact(text, depth);
  if (known === undefined) scan(text, file, depth);
  let offsets: Map<string, number> | undefined;
  /** Whether the text may have a number with so many digits that its double differs from it. */
  let hasLong: boolean | undefined;
  const placeOf = placesIn(text);
  function places(): Map<string, number> {
    if (offsets === undefined) {
      offsets = new Map();
      scan(text, file, depth, offsets);
    }
    return offsets;
  }
  function locate(pointer: string): TextPlace {
    let ancestor = pointer;
    while (!places().has(ancestor)) ancestor = ancestor.startsWith("/") ? split(ancestor).parent : "";
    return placeOf(places().get(ancestor) as number);
  }
  function number(pointer: string): string | undefined {
    hasLong ??= /\d[\d.]{15}/.test(text);
    if (!hasLong) return undefined;
    const offset = places().get(pointer);
    if (offset === undefined) return undefined;
    literal.lastIndex = offset;
    const found = literal.exec(text)?.[0];
    return found !== undefined && /[\d]/.test(found) ? found : undefined;
  }
  return { value: known === undefined ? (JSON.parse(text) as Json) : known, locate, number };
}

interface OpenBracket {
  close: "}" | "]";
  /** Offset by member name. */
  names: Map<string, number> | undefined;
  count: number;
  pointer: string;
}

const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const specialCharacter = /["\\\u0000-\u001f]/g;
const escapedCharacter = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Reads the text without recursion and throws at its first fault. Records the start of each value in `offsets`, by JSON Pointer. */
function scan(text: string, file: string, depth: number, offsets?: Map<string, number>): void {
  const open: OpenBracket[] = [];
  let index = 0;
  if (text.startsWith("\uFEFF")) {
    throw unreadableText(file, text, {
      offset: 0,
      what: "found a byte order mark, expected a value",
      hint: "save it as UTF-8 without the mark",
    });
  }
  skipSpace();
  value("");
  while (open.length > 0) readMember(open.at(-1) as OpenBracket);
  skipSpace();
  if (index < text.length) refuse("the end of the text");

  function value(pointer: string): void {
    offsets?.set(pointer, index);
    const char = text[index];
    if (char === "{" || char === "[") {
      if (open.length === depth) {
        throw unreadableText(file, text, {
          offset: index,
          what: `nested more than ${depth} levels deep`,
          hint: "nest it less deeply",
        });
      }
      const names = char === "{" ? new Map<string, number>() : undefined;
      open.push({ close: char === "{" ? "}" : "]", names, count: 0, pointer });
      index += 1;
    } else if (char === '"') readString();
    else if (!skip(literal)) refuse("a value");
  }

  function readMember(top: OpenBracket): void {
    skipSpace();
    if (text[index] === top.close) {
      index += 1;
      open.pop();
      return;
    }
    if (top.count > 0) {
      expect(",", `"," or "${top.close}"`);
      skipSpace();
    }
    const name = top.names === undefined ? top.count : readName(top.names);
    top.count += 1;
    value(offsets === undefined ? "" : append(top.pointer, name));
  }

  function readName(names: Map<string, number>): string {
    const start = index;
    if (text[index] !== '"') refuse("a member name in double quotes");
    const name = readString();
    const first = names.get(name);
    if (first !== undefined) {
      const { line } = placeAt(text, first);
      const what = `repeats the member name ${text.slice(start, index)}, first on line ${line}`;
      throw unreadableText(file, text, {
        offset: start,
        what,
        hint: "remove one of the two, or rename it",
        fault: "repeated-name",
      });
    }
    names.set(name, start);
    skipSpace();
    expect(":", '":"');
    skipSpace();
    return name;
  }

  function readString(): string {
    const start = index;
    let escapes = false;
    index += 1;
    for (;;) {
      specialCharacter.lastIndex = index;
      index = specialCharacter.exec(text)?.index ?? text.length;
      if (text[index] === '"') break;
      if (text[index] !== "\\") refuse(index < text.length ? "its escape in the string" : "the string to end");
      if (!skip(escapedCharacter)) refuse('an escape: one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX');
      escapes = true;
    }
    index += 1;
    if (!escapes) return text.slice(start + 1, index - 1);
    const unescaped = JSON.parse(text.slice(start, index)) as string;
    if (!/\p{Surrogate}/u.test(unescaped)) return unescaped;
    const what = "found half a surrogate pair in a string";
    throw unreadableText(file, text, {
      offset: start,
      what,
      hint: "escape both halves, or neither",
      fault: "half-pair",
    });
  }

  function skipSpace(): void {
    for (let char = text[index]; char === " " || char === "\n" || char === "\r" || char === "\t"; char = text[index])
      index += 1;
  }

  function skip(token: RegExp): boolean {
    token.lastIndex = index;
    if (!token.test(text)) return false;
    index = token.lastIndex;
    return true;
  }

  function expect(char: string, expected: string): void {
    if (text[index] !== char) refuse(expected);
    index += 1;
  }

  function refuse(expected: string): never {
    throw unreadableText(file, text, {
      offset: index,
      what: `found ${describeFound(text, index)}, expected ${expected}`,
      hint: adviceAt(text, index),
    });
  }
}

function describeFound(text: string, index: number): string {
  const [word] = /^[\p{L}\p{N}_$+.-]+/u.exec(text.slice(index, index + 20)) ?? [];
  if (word !== undefined) return `"${word}"`;
  const code = text.codePointAt(index);
  if (code === undefined) return "the end of the text";
  if (code === 0x22) return "a double quote";
  if (code > 0x20 && code < 0x7f) return `"${text[index]}"`;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** The remedy for a fault, specific for common slips. */
function adviceAt(text: string, index: number): string {
  const rest = text.slice(index, index + 20);
  if (/^(\/[/*]|#)/.test(rest)) return "JSON has no comments: remove it";
  if (/^[-+]?(NaN|Infinity)/.test(rest)) return "JSON numbers are finite: write a number or null";
  if (/^[}\]]/.test(rest) && /,\s*$/.test(text.slice(0, index))) return "remove the comma before it";
  if (rest.startsWith("'")) return "put texts in double quotes";
  if (rest === "") return text.trim() === "" ? "the file is empty: write a JSON value into it" : "complete the text";
  return "write it as RFC 8259 says";
}
