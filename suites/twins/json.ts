import type { Json } from "../../schemas/index.ts";

/** What a reader of JSON text may do as it likes, by RFC 8259. */
export interface Leniency {
  /** 8.1: reads past a byte order mark. */
  mark?: boolean;
  /** 8.1: reads UTF-16 as well. */
  utf16?: boolean;
  /** Puts U+FFFD where the bytes are no UTF-8. */
  badUtf8?: boolean;
  /** 4: of a name that is there twice takes the last. */
  repeated?: boolean;
  /** 8.2: takes half a surrogate pair. */
  surrogates?: boolean;
  /** 9: takes lists in lists to any depth; otherwise 64 levels. */
  deep?: boolean;
  /** 6: takes numbers beyond what a double holds for the greatest. */
  huge?: boolean;
  /** 6: rounds integers beyond 2^53. */
  unsafe?: boolean;
}

/** The value of a JSON text, read by a reader of its own. Throws an Error that says why there is none. */
export function jsonValue(bytes: Uint8Array, may: Leniency): Json {
  const text = decoded(bytes, may);
  const reader = new Reader(text, may);
  try {
    return reader.whole();
  } catch (error) {
    if (error instanceof RangeError) throw new Error("nested too deep");
    throw error;
  }
}

function decoded(bytes: Uint8Array, { utf16 = false, badUtf8 = false, mark = false }: Leniency): string {
  const [a, b] = bytes;
  const little = (a === 0xff && b === 0xfe) || (a !== 0 && b === 0);
  const big = (a === 0xfe && b === 0xff) || (a === 0 && b !== 0);
  const encoding = utf16 && little ? "utf-16le" : utf16 && big ? "utf-16be" : "utf-8";
  const text = new TextDecoder(encoding, { fatal: !badUtf8, ignoreBOM: true }).decode(bytes);
  if (!text.startsWith("\ufeff")) return text;
  if (mark) return text.slice(1);
  throw new Error("begins with a byte order mark");
}

const deepest = 64;

class Reader {
  #next = 0;
  readonly #text: string;
  readonly #may: Leniency;

  constructor(text: string, may: Leniency) {
    this.#text = text;
    this.#may = may;
  }

  whole(): Json {
    const value = this.#value(0);
    this.#space();
    if (this.#next < this.#text.length) this.#fail("more text");
    return value;
  }

  #fail(why: string): never {
    throw new Error(`${why} at ${this.#next}`);
  }

  #space(): void {
    while (" \t\n\r".includes(this.#text[this.#next] ?? "x")) this.#next += 1;
  }

  /** Reads past a character that stands next; says whether it did. */
  #takes(character: string): boolean {
    this.#space();
    if (this.#text[this.#next] !== character) return false;
    this.#next += 1;
    return true;
  }

  #value(depth: number): Json {
    if (depth > deepest && this.#may.deep !== true) this.#fail("nested too deep");
    if (this.#takes("{")) return this.#object(depth);
    if (this.#takes("[")) return this.#list(depth);
    if (this.#text[this.#next] === '"') return this.#string();
    for (const [word, value] of [
      ["true", true],
      ["false", false],
      ["null", null],
    ] as const) {
      if (!this.#text.startsWith(word, this.#next)) continue;
      this.#next += word.length;
      return value;
    }
    return this.#number();
  }

  #object(depth: number): Json {
    const made: Record<string, Json> = {};
    if (this.#takes("}")) return made;
    do {
      this.#space();
      if (this.#text[this.#next] !== '"') this.#fail("no name");
      const name = this.#string();
      if (!this.#takes(":")) this.#fail("no colon");
      const value = this.#value(depth + 1);
      if (Object.hasOwn(made, name) && this.#may.repeated !== true) this.#fail(`${name} is there twice`);
      Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true });
    } while (this.#takes(","));
    return this.#takes("}") ? made : this.#fail("no end of the object");
  }

  #list(depth: number): Json {
    const made: Json[] = [];
    if (this.#takes("]")) return made;
    do made.push(this.#value(depth + 1));
    while (this.#takes(","));
    return this.#takes("]") ? made : this.#fail("no end of the list");
  }

  #string(): string {
    const start = this.#next++;
    for (let each = this.#text[this.#next]; each !== '"'; each = this.#text[this.#next]) {
      if (each === undefined) this.#fail("no end of the string");
      if (each < " ") this.#fail("a control character");
      this.#next += each === "\\" ? 2 : 1;
    }
    this.#next += 1;
    const value = JSON.parse(this.#text.slice(start, this.#next)) as string;
    if (/\p{Cs}/u.test(value) && this.#may.surrogates !== true) this.#fail("half a surrogate pair");
    return value;
  }

  #number(): number {
    const form = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
    form.lastIndex = this.#next;
    const [written] = form.exec(this.#text) ?? this.#fail("no value");
    this.#next += written.length;
    const value = Number(written);
    if (!Number.isFinite(value))
      return this.#may.huge === true ? Math.sign(value) * Number.MAX_VALUE : this.#fail("a number too great");
    if (Number.isInteger(value) && !Number.isSafeInteger(value) && this.#may.unsafe !== true)
      this.#fail("an integer beyond 2^53");
    return value;
  }
}
