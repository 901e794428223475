import type { Json, JsonObject } from "../../../schemas/index.ts";

/** Thrown for a text that is not JSON; the message says why. */
export class NotJson extends Error {}

/** Facts about a text that its value does not show. Places are JSON Pointers. */
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

/** The choices that RFC 8259 leaves to a reader, with their sections. */
export interface ReaderOptions {
  /** Section 9: the maximum depth of nesting; a deeper text is refused. */
  maxDepth?: number;
  /** Section 8.1: whether a byte order mark is ignored. */
  ignoresMark?: boolean;
  /** Section 8.1: whether UTF-16 is read as well. */
  readsUtf16?: boolean;
  /** Whether U+FFFD replaces bytes that are not UTF-8; otherwise they are refused. */
  replacesBadUtf8?: boolean;
  /** Section 6: whether a number out of range becomes the greatest double; otherwise it becomes infinity. */
  clampsHugeNumbers?: boolean;
}

interface ReaderFrame {
  container: JsonObject | Json[];
  key: string;
}

const numeralPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const literals = [
  ["true", true],
  ["false", false],
  ["null", null],
] as const;

/** Reads a JSON text, and notes facts about it that the value does not show. Throws NotJson. */
export function readJson(
  source: Uint8Array | string,
  options: ReaderOptions = {},
): { value: Json; notes: ReaderNotes } {
  const reader = new JsonReader(typeof source === "string" ? source : decodeBytes(source, options), options);
  return { value: reader.readWhole(), notes: reader.notes };
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
export function pointerStep(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The integer that a numeral denotes, in any spelling; undefined for a fraction, or if it ends with more than 400 zeros. */
export function integerOf(numeral: string): bigint | undefined {
  const [, sign, integerDigits = "", fraction = "", power = "0"] =
    /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(numeral) ?? [];
  const digits = (integerDigits + fraction).replace(/0+$/, "");
  if (digits.replace(/^0+/, "") === "") return 0n;
  const zeros = Number(power) - fraction.length + (integerDigits.length + fraction.length - digits.length);
  if (zeros < 0 || zeros > 400) return undefined;
  const size = BigInt(digits + "0".repeat(zeros));
  return sign === "-" ? -size : size;
}

function decodeBytes(
  bytes: Uint8Array,
  { readsUtf16 = false, replacesBadUtf8 = false, ignoresMark = false }: ReaderOptions,
): string {
  const [first, second] = bytes;
  const isLittleEndian = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  const isBigEndian = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  let encoding = "utf-8";
  if (readsUtf16 && isLittleEndian) encoding = "utf-16le";
  else if (readsUtf16 && isBigEndian) encoding = "utf-16be";
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: !replacesBadUtf8, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NotJson("bytes that are not UTF-8");
  }
  if (!text.startsWith("\ufeff")) return text;
  if (ignoresMark) return text.slice(1);
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
  readonly #options: ReaderOptions;
  readonly #stack: ReaderFrame[] = [];
  #index = 0;

  constructor(text: string, options: ReaderOptions) {
    this.#text = text;
    this.#options = options;
  }

  readWhole(): Json {
    this.#skipSpace();
    for (;;) {
      let value = this.#readStart();
      while (value !== undefined) {
        this.#skipSpace();
        const frame = this.#stack.at(-1);
        if (frame === undefined) return this.#index < this.#text.length ? this.#fail("more text") : value;
        value = this.#addToContainer(frame, value);
      }
    }
  }

  #fail(why: string): never {
    throw new NotJson(`${why} at ${this.#index}`);
  }

  #skipSpace(): void {
    while (" \t\n\r".includes(this.#text[this.#index] ?? "x")) this.#index += 1;
  }

  get #place(): string {
    return this.#stack.map(({ key }) => `/${pointerStep(key)}`).join("");
  }

  /** Reads a scalar, or an empty list or object; returns undefined at the beginning of a list or object with contents. */
  #readStart(): Json | undefined {
    const character = this.#text[this.#index];
    if (character !== "{" && character !== "[") return this.#readScalar();
    if (this.#stack.length >= (this.#options.maxDepth ?? Number.POSITIVE_INFINITY)) this.#fail("nested too deep");
    this.notes.depth = Math.max(this.notes.depth, this.#stack.length + 1);
    this.#index += 1;
    this.#skipSpace();
    if (this.#text[this.#index] === (character === "[" ? "]" : "}")) {
      this.#index += 1;
      return character === "[" ? [] : {};
    }
    this.#stack.push(character === "[" ? { container: [], key: "0" } : { container: {}, key: "" });
    if (character === "{") this.#readName();
    return undefined;
  }

  /** Puts a value into its list or object. Returns the list or object if it ends here; undefined if another value follows. */
  #addToContainer(frame: ReaderFrame, value: Json): Json | undefined {
    const { container, key } = frame;
    if (Array.isArray(container)) container.push(value);
    else {
      if (Object.hasOwn(container, key)) {
        const isSame = JSON.stringify(container[key]) === JSON.stringify(value);
        this.notes.repeated.push({ at: this.#place, name: key, isSame });
      }
      Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
    }
    const character = this.#text[this.#index];
    this.#index += 1;
    if (character === ",") {
      this.#skipSpace();
      if (Array.isArray(container)) frame.key = `${container.length}`;
      else this.#readName();
      return undefined;
    }
    if (character !== (Array.isArray(container) ? "]" : "}")) this.#fail("an unfinished list or object");
    this.#stack.pop();
    return container;
  }

  /** Reads the next name, which becomes the current key. */
  #readName(): void {
    const frame = this.#stack.at(-1);
    if (frame === undefined || this.#text[this.#index] !== '"') this.#fail("no name");
    frame.key = "";
    const name = this.#readString();
    frame.key = name;
    this.#skipSpace();
    if (this.#text[this.#index] !== ":") this.#fail("no colon");
    this.#index += 1;
    this.#skipSpace();
  }

  #readString(): string {
    const start = this.#index++;
    for (let character = this.#text[this.#index]; character !== '"'; character = this.#text[this.#index]) {
      if (character === undefined || character < " ") this.#fail("an unfinished string");
      this.#index += character === "\\" ? 2 : 1;
    }
    this.#index += 1;
    let value: string;
    try {
      value = JSON.parse(this.#text.slice(start, this.#index)) as string;
    } catch {
      return this.#fail("an invalid escape");
    }
    if (!value.isWellFormed()) this.notes.surrogates.push(this.#place);
    else if (/\p{Noncharacter_Code_Point}/u.test(value)) this.notes.nonCharacters.push(this.#place);
    return value;
  }

  #readScalar(): Json {
    if (this.#text[this.#index] === '"') return this.#readString();
    for (const [literal, value] of literals) {
      if (!this.#text.startsWith(literal, this.#index)) continue;
      this.#index += literal.length;
      return value;
    }
    numeralPattern.lastIndex = this.#index;
    const [numeral] = numeralPattern.exec(this.#text) ?? this.#fail("no value");
    this.#index += numeral.length;
    return this.#readNumber(numeral);
  }

  #readNumber(numeral: string): number {
    const value = Number(numeral);
    if (!Number.isFinite(value)) {
      this.notes.overflows.push(this.#place);
      return this.#options.clampsHugeNumbers === true ? Math.sign(value) * Number.MAX_VALUE : value;
    }
    if (Math.abs(value) >= 2 ** 53) this.notes.large.push(numeral);
    const integer = integerOf(numeral);
    const isExact = integer === undefined ? !Number.isInteger(value) : BigInt(Math.trunc(value)) === integer;
    if (!isExact) this.notes.inexact.set(this.#place, numeral);
    return value;
  }
}
