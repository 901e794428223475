import type { Json, JsonObject } from "../../../../schemas/index.ts";

/** What a text holds, and what its value no longer tells. */
export interface Reading {
  value: Json;
  text: string;
  /** Why it is no JSON text; undefined where it is one. */
  fatal?: string;
  repeated: { name: string; isSame: boolean }[];
  /** An integer whose double has lost digits. */
  hasBig: boolean;
  hasInfinite: boolean;
  hasLoneSurrogate: boolean;
  depth: number;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
/** Levels after which it gives up. */
const deepest = 5000;

/** Reads a JSON text to the letter. */
export function read(bytes: Uint8Array): Reading {
  const notes = { repeated: [], hasBig: false, hasInfinite: false, hasLoneSurrogate: false, depth: 0 };
  const reading: Reading = { value: null, text: "", ...notes };
  try {
    reading.text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (reading.text.startsWith("\ufeff")) throw new Error("a byte order mark");
    reading.value = new Reader(reading).whole();
  } catch (error) {
    reading.fatal = (error as Error).message;
  }
  return reading;
}

class Reader {
  readonly #reading: Reading;
  readonly #text: string;
  #at = 0;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#text = reading.text;
  }

  whole(): Json {
    const value = this.#value(1);
    this.#blank();
    if (this.#at < this.#text.length) throw new Error("more than one value");
    return value;
  }

  #blank(): void {
    while (this.#at < this.#text.length && " \t\n\r".includes(this.#text.charAt(this.#at))) this.#at += 1;
  }

  /** Whether the next character is this one, which is then left behind. */
  #takes(character: string): boolean {
    this.#blank();
    if (this.#text.charAt(this.#at) !== character) return false;
    this.#at += 1;
    return true;
  }

  #value(depth: number): Json {
    if (depth > deepest) throw new Error("too deep");
    this.#reading.depth = Math.max(this.#reading.depth, depth);
    if (this.#takes("{")) return this.#object(depth);
    if (this.#takes("[")) return this.#list(depth);
    if (this.#takes('"')) return this.#string();
    return this.#literal();
  }

  #object(depth: number): JsonObject {
    const members = new Map<string, Json>();
    if (this.#takes("}")) return {};
    do {
      if (!this.#takes('"')) throw new Error("no name");
      const name = this.#string();
      if (!this.#takes(":")) throw new Error("no colon");
      const value = this.#value(depth + 1);
      if (members.has(name)) {
        const isSame = JSON.stringify(members.get(name)) === JSON.stringify(value);
        this.#reading.repeated.push({ name, isSame });
      }
      members.set(name, value);
    } while (this.#takes(","));
    if (!this.#takes("}")) throw new Error("an object without end");
    return Object.fromEntries(members);
  }

  #list(depth: number): Json[] {
    const items: Json[] = [];
    if (this.#takes("]")) return items;
    do items.push(this.#value(depth + 1));
    while (this.#takes(","));
    if (!this.#takes("]")) throw new Error("a list without end");
    return items;
  }

  #string(): string {
    let value = "";
    for (;;) {
      const character = this.#text.charAt(this.#at);
      if (character < " ") throw new Error("a control character, or no end");
      this.#at += 1;
      if (character === '"') break;
      value += character === "\\" ? this.#escape() : character;
    }
    if (!value.isWellFormed()) this.#reading.hasLoneSurrogate = true;
    return value;
  }

  #escape(): string {
    const letter = this.#text.charAt(this.#at);
    this.#at += 1;
    if (letter !== "u") {
      const meant = escapes[letter];
      if (meant === undefined) throw new Error("an unknown escape");
      return meant;
    }
    const digits = this.#text.slice(this.#at, this.#at + 4);
    if (!/^[0-9A-Fa-f]{4}$/.test(digits)) throw new Error("an unknown escape");
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #literal(): Json {
    const form = /true|false|null|-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
    form.lastIndex = this.#at;
    const [word, fraction, exponent] = form.exec(this.#text) ?? [];
    if (word === undefined) throw new Error("no value");
    this.#at += word.length;
    if (word === "true" || word === "false") return word === "true";
    if (word === "null") return null;
    if (fraction === undefined && exponent === undefined) {
      const exact = BigInt(word);
      if (exact > 2n ** 53n || exact < -(2n ** 53n)) this.#reading.hasBig = true;
    }
    if (!Number.isFinite(Number(word))) this.#reading.hasInfinite = true;
    return Number(word);
  }
}
