import type { Json } from "../../../../schemas/index.ts";

/** A text that is no JSON. */
export class NoJson extends Error {}

/** What a reader of JSON usually forgets, by the places where it is. */
export interface Notes {
  repeated: string[];
  surrogates: string[];
  nonCharacters: string[];
  overflows: string[];
  /** Numerals that are no double, as they were written. */
  inexact: Map<string, string>;
}

export interface ReaderOptions {
  /** Levels of nesting. */
  levels: number;
  /** A byte order mark is ignored. */
  mark: boolean;
}

const numeral = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
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

/** Reads a text by RFC 8259. Throws NoJson. */
export function read(bytes: Uint8Array, { levels, mark }: ReaderOptions): { value: Json; notes: Notes } {
  const text = decoded(bytes, mark);
  const notes: Notes = { repeated: [], surrogates: [], nonCharacters: [], overflows: [], inexact: new Map() };
  let i = 0;
  const bad = (what: string): never => {
    throw new NoJson(`${what} at ${i}`);
  };
  const space = (): void => {
    while (" \t\n\r".includes(text[i] ?? "x")) i++;
  };

  function string(at: string): string {
    let out = "";
    for (i++; ; ) {
      const char = text[i];
      if (char === undefined || char < " ") return bad("a string breaks off");
      i++;
      if (char === '"') break;
      out += char === "\\" ? escaped() : char;
    }
    if (!out.isWellFormed()) notes.surrogates.push(at);
    else if (/\p{Noncharacter_Code_Point}/u.test(out)) notes.nonCharacters.push(at);
    return out;
  }

  function escaped(): string {
    const char = text[i++] ?? "";
    if (char !== "u") return escapes[char] ?? bad("an escape that there is not");
    const digits = text.slice(i, i + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) return bad("an escape without four digits");
    i += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  function list(at: string, depth: number): Json[] {
    const items: Json[] = [];
    for (space(); text[i] !== "]"; ) {
      items.push(value(`${at}/${items.length}`, depth));
      space();
      if (text[i] === "]") break;
      if (text[i++] !== ",") bad("a list breaks off");
      space();
      if (text[i] === "]") bad("a comma before the end");
    }
    i++;
    return items;
  }

  function object(at: string, depth: number): Json {
    const members = new Map<string, Json>();
    for (space(); text[i] !== "}"; ) {
      if (text[i] !== '"') bad("no name");
      const name = string(at);
      const here = `${at}/${step(name)}`;
      space();
      if (text[i++] !== ":") bad("no colon");
      if (members.has(name)) notes.repeated.push(here);
      members.set(name, value(here, depth));
      space();
      if (text[i] === "}") break;
      if (text[i++] !== ",") bad("an object breaks off");
      space();
      if (text[i] === "}") bad("a comma before the end");
    }
    i++;
    return Object.fromEntries(members);
  }

  function value(at: string, depth: number): Json {
    space();
    const char = text[i];
    if (char === "{" || char === "[") {
      if (depth >= levels) bad("too deep");
      i++;
      return char === "{" ? object(at, depth + 1) : list(at, depth + 1);
    }
    if (char === '"') return string(at);
    for (const [word, meant] of [
      ["true", true],
      ["false", false],
      ["null", null],
    ] as const)
      if (text.startsWith(word, i)) {
        i += word.length;
        return meant;
      }
    return number(at);
  }

  function number(at: string): number {
    numeral.lastIndex = i;
    const [written = ""] = numeral.exec(text) ?? [];
    if (written === "") bad("no value");
    i += written.length;
    const read = Number(written);
    const whole = wholeOf(written);
    if (!Number.isFinite(read)) notes.overflows.push(at);
    else if (whole === undefined ? Number.isInteger(read) : BigInt(Math.trunc(read)) !== whole)
      notes.inexact.set(at, written);
    return read;
  }

  const whole = value("", 0);
  space();
  if (i < text.length) bad("more than one value");
  return { value: whole, notes };
}

/** A step of a JSON Pointer. */
export function step(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function decoded(bytes: Uint8Array, mark: boolean): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NoJson("no UTF-8");
  }
  if (!text.startsWith("\ufeff")) return text;
  if (!mark) throw new NoJson("a byte order mark");
  return text.slice(1);
}

/** The integer that a numeral writes, whatever its spelling; undefined for any other number, and for one of over 400 digits. */
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

/** RFC 8785. Throws NoJson for what has no canonical form. */
export function canonicalText(value: Json): string {
  if (typeof value === "number" && !Number.isFinite(value)) throw new NoJson("a number beyond doubles");
  if (typeof value === "string" && !value.isWellFormed()) throw new NoJson("half a surrogate pair");
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${canonicalText(name)}:${canonicalText(value[name] as Json)}`).join(",")}}`;
}

/** Levels of nesting, the value itself being the first where it is a list or an object. */
export function levelsOf(value: Json): number {
  if (value === null || typeof value !== "object") return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf));
}

/** Bytes of the text. */
export function sizeOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}
