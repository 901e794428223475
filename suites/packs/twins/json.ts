import type { Json, JsonObject } from "../../../schemas/index.ts";

/** Thrown for a text that is not JSON; the message says why. */
export class NotJson extends Error {}

/** Facts about a text that its value does not show. A place is a JSON Pointer. */
export interface ReaderNotes {
  /** Members with a name that occurred before in the same object; the last one counts. */
  repeated: { at: string; name: string; isSame: boolean }[];
  /** Strings and names with half of a surrogate pair. */
  surrogates: string[];
  nonCharacters: string[];
  /** Numbers outside of the range of doubles. */
  overflows: string[];
  /** Numerals of 2^53 and more. */
  large: string[];
  /** Numerals that change in a double: integers that are rounded, and fractions that become an integer, by place. */
  inexact: Map<string, string>;
  /** The maximum depth of nested lists and objects. */
  depth: number;
}

/** What RFC 8259 leaves to the reader, by section. */
export interface ReaderOptions {
  /** 9: the maximum depth of nesting; a deeper text is not read. */
  levels?: number;
  /** 8.1: a byte order mark is ignored. */
  mark?: boolean;
  /** 8.1: UTF-16 is read as well. */
  utf16?: boolean;
  /** U+FFFD replaces bytes that are not UTF-8. */
  badUtf8?: boolean;
  /** 6: a number out of range becomes the greatest double; otherwise infinity. */
  huge?: boolean;
}

interface ReaderFrame {
  into: JsonObject | Json[];
  key: string;
}

const numeral = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const words = [
  ["true", true],
  ["false", false],
  ["null", null],
] as const;

/** The value of a JSON text, and notes on its text. Throws NotJson. */
export function readJson(source: Uint8Array | string, may: ReaderOptions = {}): { value: Json; notes: ReaderNotes } {
  const reader = new JsonReader(typeof source === "string" ? source : decodeBytes(source, may), may);
  return { value: reader.whole(), notes: reader.notes };
}

/** The value of a JSON text; undefined for any other text. */
export function jsonIn(text: Uint8Array | string): Json | undefined {
  try {
    return readJson(text).value;
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}

/** A name as a step of a JSON Pointer (RFC 6901). */
export function step(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The integer that a numeral denotes, in any spelling; undefined for any other number, and for more than 400 digits. */
export function wholeOf(written: string): bigint | undefined {
  const [, sign, whole = "", fraction = "", power = "0"] =
    /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(written) ?? [];
  const digits = (whole + fraction).replace(/0+$/, "");
  if (digits.replace(/^0+/, "") === "") return 0n;
  const zeros = Number(power) - fraction.length + (whole.length + fraction.length - digits.length);
  if (zeros < 0 || zeros > 400) return undefined;
  const size = BigInt(digits + "0".repeat(zeros));
  return sign === "-" ? -size : size;
}

function decodeBytes(bytes: Uint8Array, { utf16 = false, badUtf8 = false, mark = false }: ReaderOptions): string {
  const [a, b] = bytes;
  const isLittle = (a === 0xff && b === 0xfe) || (a !== 0 && b === 0);
  const isBig = (a === 0xfe && b === 0xff) || (a === 0 && b !== 0);
  const encoding = utf16 && isLittle ? "utf-16le" : utf16 && isBig ? "utf-16be" : "utf-8";
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: !badUtf8, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NotJson("bytes that are not UTF-8");
  }
  if (!text.startsWith("\ufeff")) return text;
  if (mark) return text.slice(1);
  throw new NotJson("begins with a byte order mark");
}

/** Reads without recursion, so that depth is not limited by the stack. */
class JsonReader {
  readonly notes: ReaderNotes = {
    repeated: [],
    surrogates: [],
    nonCharacters: [],
    overflows: [],
    large: [],
    inexact: new Map(),
    depth: 0,
  };
  readonly #text: string;
  readonly #may: ReaderOptions;
  readonly #stack: ReaderFrame[] = [];
  #next = 0;

  constructor(text: string, may: ReaderOptions) {
    this.#text = text;
    this.#may = may;
  }

  whole(): Json {
    this.#space();
    for (;;) {
      let value = this.#begun();
      while (value !== undefined) {
        this.#space();
        const frame = this.#stack.at(-1);
        if (frame === undefined) return this.#next < this.#text.length ? this.#fail("more text") : value;
        value = this.#put(frame, value);
      }
    }
  }

  #fail(why: string): never {
    throw new NotJson(`${why} at ${this.#next}`);
  }

  #space(): void {
    while (" \t\n\r".includes(this.#text[this.#next] ?? "x")) this.#next += 1;
  }

  get #at(): string {
    return this.#stack.map(({ key }) => `/${step(key)}`).join("");
  }

  /** Reads a scalar, or an empty list or object; returns undefined at the beginning of a list or object with contents. */
  #begun(): Json | undefined {
    const sign = this.#text[this.#next];
    if (sign !== "{" && sign !== "[") return this.#scalar();
    if (this.#stack.length >= (this.#may.levels ?? Number.POSITIVE_INFINITY)) this.#fail("nested too deep");
    this.notes.depth = Math.max(this.notes.depth, this.#stack.length + 1);
    this.#next += 1;
    this.#space();
    if (this.#text[this.#next] === (sign === "[" ? "]" : "}")) {
      this.#next += 1;
      return sign === "[" ? [] : {};
    }
    this.#stack.push(sign === "[" ? { into: [], key: "0" } : { into: {}, key: "" });
    if (sign === "{") this.#name();
    return undefined;
  }

  /** Puts a value into its list or object. Returns the list or object if it ends here; undefined if another value follows. */
  #put(frame: ReaderFrame, value: Json): Json | undefined {
    const { into, key } = frame;
    if (Array.isArray(into)) into.push(value);
    else {
      if (Object.hasOwn(into, key)) {
        const isSame = JSON.stringify(into[key]) === JSON.stringify(value);
        this.notes.repeated.push({ at: this.#at, name: key, isSame });
      }
      Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
    }
    const sign = this.#text[this.#next];
    this.#next += 1;
    if (sign === ",") {
      this.#space();
      if (Array.isArray(into)) frame.key = `${into.length}`;
      else this.#name();
      return undefined;
    }
    if (sign !== (Array.isArray(into) ? "]" : "}")) this.#fail("a list or an object breaks off");
    this.#stack.pop();
    return into;
  }

  /** Reads the next name, which becomes the current key. */
  #name(): void {
    const frame = this.#stack.at(-1);
    if (frame === undefined || this.#text[this.#next] !== '"') this.#fail("no name");
    frame.key = "";
    const name = this.#string();
    frame.key = name;
    this.#space();
    if (this.#text[this.#next] !== ":") this.#fail("no colon");
    this.#next += 1;
    this.#space();
  }

  #string(): string {
    const start = this.#next++;
    for (let each = this.#text[this.#next]; each !== '"'; each = this.#text[this.#next]) {
      if (each === undefined || each < " ") this.#fail("a string breaks off");
      this.#next += each === "\\" ? 2 : 1;
    }
    this.#next += 1;
    let value: string;
    try {
      value = JSON.parse(this.#text.slice(start, this.#next)) as string;
    } catch {
      return this.#fail("an escape that JSON does not have");
    }
    if (!value.isWellFormed()) this.notes.surrogates.push(this.#at);
    else if (/\p{Noncharacter_Code_Point}/u.test(value)) this.notes.nonCharacters.push(this.#at);
    return value;
  }

  #scalar(): Json {
    if (this.#text[this.#next] === '"') return this.#string();
    for (const [word, value] of words) {
      if (!this.#text.startsWith(word, this.#next)) continue;
      this.#next += word.length;
      return value;
    }
    numeral.lastIndex = this.#next;
    const [written] = numeral.exec(this.#text) ?? this.#fail("no value");
    this.#next += written.length;
    return this.#number(written);
  }

  #number(written: string): number {
    const value = Number(written);
    if (!Number.isFinite(value)) {
      this.notes.overflows.push(this.#at);
      return this.#may.huge === true ? Math.sign(value) * Number.MAX_VALUE : value;
    }
    if (Math.abs(value) >= 2 ** 53) this.notes.large.push(written);
    const whole = wholeOf(written);
    const isExact = whole === undefined ? !Number.isInteger(value) : BigInt(Math.trunc(value)) === whole;
    if (!isExact) this.notes.inexact.set(this.#at, written);
    return value;
  }
}
