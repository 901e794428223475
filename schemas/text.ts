import { compact } from "./compact-json.ts";
import type { TextFault } from "./error.ts";
import type { Json } from "./json.ts";
import { append, split } from "./pointer.ts";
import { decodeText, placeAt, placesIn, type Text, type TextPlace, unreadableText } from "./text-place.ts";
import { maxValues, refuseMany } from "./value-limit.ts";

/** The maximum depth of a text. No protocol needs more, and in a hostile text each bracket costs memory. */
export const depthLimit = 10_000;

/**
 * Reads a JSON text (RFC 8259) strictly: a repeated member name, half a surrogate pair and a byte order mark are refused too.
 * Throws a usage error that begins with `FILE:LINE:COLUMN`.
 */
export function readJson(source: string | Uint8Array, file: string, options: { depth?: number } = {}): Text {
  const text = decodeText(source, file);
  refuseMany(text, maxValues, file);
  const depth = options.depth ?? depthLimit;
  const compactValue = compact(text, depth);
  if (compactValue === undefined) scan(text, file, depth);
  let offsets: Map<string, number> | undefined;
  /** Whether the text may have a number with so many digits that its double differs from it. */
  let mayHaveLongNumber: boolean | undefined;
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
    mayHaveLongNumber ??= /\d[\d.]{15}/.test(text);
    if (!mayHaveLongNumber) return undefined;
    const offset = places().get(pointer);
    if (offset === undefined) return undefined;
    literal.lastIndex = offset;
    const matched = literal.exec(text)?.[0];
    return matched !== undefined && /[\d]/.test(matched) ? matched : undefined;
  }
  return { value: compactValue === undefined ? (JSON.parse(text) as Json) : compactValue, locate, number };
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
  new Scanner({ text, file, depth, offsets }).scan();
}

interface ScannedText {
  text: string;
  file: string;
  /** The maximum depth of nesting. */
  depth: number;
  offsets: Map<string, number> | undefined;
}

class Scanner {
  readonly #text: string;
  readonly #file: string;
  readonly #depth: number;
  readonly #offsets: Map<string, number> | undefined;
  readonly #open: OpenBracket[] = [];
  #index = 0;

  constructor({ text, file, depth, offsets }: ScannedText) {
    this.#text = text;
    this.#file = file;
    this.#depth = depth;
    this.#offsets = offsets;
  }

  scan(): void {
    if (this.#text.startsWith("\uFEFF"))
      this.#fail(0, "found a byte order mark, expected a value", "save it as UTF-8 without the mark");
    this.#skipSpace();
    this.#readValue("");
    for (let bracket = this.#open.at(-1); bracket !== undefined; bracket = this.#open.at(-1)) this.#readMember(bracket);
    this.#skipSpace();
    if (this.#index < this.#text.length) this.#refuse("the end of the text");
  }

  #readValue(pointer: string): void {
    this.#offsets?.set(pointer, this.#index);
    const char = this.#text[this.#index];
    if (char === "{" || char === "[") {
      if (this.#open.length === this.#depth)
        this.#fail(this.#index, `nested more than ${this.#depth} levels deep`, "nest it less deeply");
      const names = char === "{" ? new Map<string, number>() : undefined;
      this.#open.push({ close: char === "{" ? "}" : "]", names, count: 0, pointer });
      this.#index += 1;
    } else if (char === '"') this.#readString();
    else if (!this.#skip(literal)) this.#refuse("a value");
  }

  /** Reads the next member or item of the innermost bracket, or its end. */
  #readMember(bracket: OpenBracket): void {
    this.#skipSpace();
    if (this.#text[this.#index] === bracket.close) {
      this.#index += 1;
      this.#open.pop();
      return;
    }
    if (bracket.count > 0) {
      this.#expect(",", `"," or "${bracket.close}"`);
      this.#skipSpace();
    }
    const name = bracket.names === undefined ? bracket.count : this.#readName(bracket.names);
    bracket.count += 1;
    this.#readValue(this.#offsets === undefined ? "" : append(bracket.pointer, name));
  }

  #readName(names: Map<string, number>): string {
    const start = this.#index;
    if (this.#text[start] !== '"') this.#refuse("a member name in double quotes");
    const name = this.#readString();
    const first = names.get(name);
    if (first !== undefined) {
      const { line } = placeAt(this.#text, first);
      const what = `repeats the member name ${this.#text.slice(start, this.#index)}, first on line ${line}`;
      this.#fail(start, what, "remove one of the two, or rename it", "repeated-name");
    }
    names.set(name, start);
    this.#skipSpace();
    this.#expect(":", '":"');
    this.#skipSpace();
    return name;
  }

  #readString(): string {
    const text = this.#text;
    const start = this.#index;
    let hasEscapes = false;
    this.#index += 1;
    for (;;) {
      specialCharacter.lastIndex = this.#index;
      this.#index = specialCharacter.exec(text)?.index ?? text.length;
      if (text[this.#index] === '"') break;
      if (text[this.#index] !== "\\")
        this.#refuse(this.#index < text.length ? "its escape in the string" : "the string to end");
      if (!this.#skip(escapedCharacter)) this.#refuse('an escape: one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX');
      hasEscapes = true;
    }
    this.#index += 1;
    if (!hasEscapes) return text.slice(start + 1, this.#index - 1);
    const unescaped = JSON.parse(text.slice(start, this.#index)) as string;
    if (/\p{Surrogate}/u.test(unescaped))
      this.#fail(start, "found half a surrogate pair in a string", "escape both halves, or neither", "half-pair");
    return unescaped;
  }

  #skipSpace(): void {
    const text = this.#text;
    let index = this.#index;
    for (let char = text[index]; char === " " || char === "\n" || char === "\r" || char === "\t"; char = text[index])
      index += 1;
    this.#index = index;
  }

  /** Skips a token, if it is the next one. */
  #skip(token: RegExp): boolean {
    token.lastIndex = this.#index;
    if (!token.test(this.#text)) return false;
    this.#index = token.lastIndex;
    return true;
  }

  #expect(char: string, expected: string): void {
    if (this.#text[this.#index] !== char) this.#refuse(expected);
    this.#index += 1;
  }

  #refuse(expected: string): never {
    const found = describeFound(this.#text, this.#index);
    return this.#fail(this.#index, `found ${found}, expected ${expected}`, adviceAt(this.#text, this.#index));
  }

  #fail(offset: number, what: string, hint: string, fault?: TextFault): never {
    throw unreadableText(this.#file, this.#text, { offset, what, hint, fault });
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

/** The remedy for a fault, specific to common mistakes. */
function adviceAt(text: string, index: number): string {
  const rest = text.slice(index, index + 20);
  if (/^(\/[/*]|#)/.test(rest)) return "JSON has no comments: remove it";
  if (/^[-+]?(NaN|Infinity)/.test(rest)) return "JSON numbers are finite: write a number or null";
  if (/^[}\]]/.test(rest) && /,\s*$/.test(text.slice(0, index))) return "remove the comma before it";
  if (rest.startsWith("'")) return "put texts in double quotes";
  if (rest === "") return text.trim() === "" ? "the file is empty: write a JSON value into it" : "complete the text";
  return "write it as RFC 8259 says";
}
