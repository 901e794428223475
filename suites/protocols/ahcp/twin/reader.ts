import type { Json, JsonObject } from "../../../../schemas/index.ts";

/** What a text holds, and what of it a reader may object to. */
export interface Reading {
  value?: Json;
  /** Why it is no JSON. */
  fatal?: string;
  isRepeating: boolean;
  isInfinite: boolean;
  isBroken: boolean;
  depth: number;
}

interface Frame {
  into: JsonObject | Json[];
  key: string;
}

const numeral = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Reads RFC 8259 without recursion. Of names that come twice the last one counts. */
export function read(source: string): Reading {
  const reading: Reading = { isRepeating: false, isInfinite: false, isBroken: false, depth: 0 };
  try {
    reading.value = new Reader(source, reading).whole();
  } catch (error) {
    reading.fatal = (error as Error).message;
  }
  return reading;
}

class Reader {
  readonly #source: string;
  readonly #reading: Reading;
  #at = 0;

  constructor(source: string, reading: Reading) {
    this.#source = source;
    this.#reading = reading;
  }

  whole(): Json {
    const stack: Frame[] = [];
    this.#space();
    for (;;) {
      let value: Json | undefined = this.#opened(stack);
      if (value === undefined) continue;
      for (;;) {
        this.#space();
        const frame = stack.at(-1);
        if (frame === undefined) return this.#last(value);
        this.#put(frame, value);
        const sign = this.#source[this.#at++];
        if (sign === ",") {
          this.#space();
          if (!Array.isArray(frame.into)) frame.key = this.#name();
          break;
        }
        if (sign !== (Array.isArray(frame.into) ? "]" : "}")) throw new Error("no comma");
        value = frame.into;
        stack.pop();
      }
    }
  }

  /** A scalar, or an empty list or object; undefined where one begins that holds something. */
  #opened(stack: Frame[]): Json | undefined {
    const sign = this.#source[this.#at];
    if (sign !== "{" && sign !== "[") return this.#scalar();
    this.#at++;
    this.#space();
    this.#reading.depth = Math.max(this.#reading.depth, stack.length + 1);
    const into: JsonObject | Json[] = sign === "[" ? [] : {};
    if (this.#source[this.#at] === (sign === "[" ? "]" : "}")) {
      this.#at++;
      return into;
    }
    stack.push({ into, key: sign === "[" ? "" : this.#name() });
    return undefined;
  }

  #put({ into, key }: Frame, value: Json): void {
    if (Array.isArray(into)) into.push(value);
    else {
      this.#reading.isRepeating ||= Object.hasOwn(into, key);
      Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
    }
  }

  #last(value: Json): Json {
    if (this.#at < this.#source.length) throw new Error("text after the value");
    return value;
  }

  #space(): void {
    while (" \t\n\r".includes(this.#source[this.#at] ?? "x")) this.#at++;
  }

  #name(): string {
    if (this.#source[this.#at] !== '"') throw new Error("no name");
    const name = this.#string();
    this.#space();
    if (this.#source[this.#at++] !== ":") throw new Error("no colon");
    this.#space();
    return name;
  }

  #string(): string {
    let end = this.#at + 1;
    for (; this.#source[end] !== '"'; end++) {
      if (end >= this.#source.length) throw new Error("a string without end");
      if (this.#source[end] === "\\") end++;
    }
    const text = JSON.parse(this.#source.slice(this.#at, end + 1)) as string;
    this.#at = end + 1;
    this.#reading.isBroken ||= !text.isWellFormed();
    return text;
  }

  #scalar(): Json {
    if (this.#source[this.#at] === '"') return this.#string();
    for (const [text, value] of [["true", true] as const, ["false", false] as const, ["null", null] as const])
      if (this.#source.startsWith(text, this.#at)) {
        this.#at += text.length;
        return value;
      }
    numeral.lastIndex = this.#at;
    const found = numeral.exec(this.#source)?.[0];
    if (found === undefined) throw new Error("no value");
    this.#at += found.length;
    const number = Number(found);
    this.#reading.isInfinite ||= !Number.isFinite(number);
    return number;
  }
}
