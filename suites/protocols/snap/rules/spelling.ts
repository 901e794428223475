import { isObject, type Json } from "../../../../schemas/index.ts";

/** A way to serialize JSON that nearly follows RFC 8785. A missing member means that RFC 8785 is followed. */
export interface JsonSpelling {
  /** Compares the names of members; `false` keeps their order. */
  order?: false | ((a: string, b: string) => number);
  /** Sorts only the outermost members. */
  shallow?: true;
  /** Omits members that are null. */
  withoutNull?: true;
  emptyList?: string;
  comma?: string;
  colon?: string;
  string?(text: string): string;
  number?(value: number): string;
}

/** Serializes a value in this spelling, by default according to RFC 8785. */
export function spellValue(value: Json, spelling: JsonSpelling = {}, depth = 0): string {
  const { order = compareByUnit, shallow, withoutNull, comma = ",", colon = ":", string = JSON.stringify } = spelling;
  const { number = String, emptyList = "[]" } = spelling;
  const spellInner = (inner: Json): string => spellValue(inner, spelling, depth + 1);
  if (typeof value === "string") return string(value);
  if (typeof value === "number") return number(value);
  if (Array.isArray(value)) return value.length === 0 ? emptyList : `[${value.map(spellInner).join(comma)}]`;
  if (!isObject(value)) return String(value);
  const names = Object.keys(value).filter((name) => withoutNull === undefined || value[name] !== null);
  if (order !== false && (shallow === undefined || depth === 0)) names.sort(order);
  return `{${names.map((name) => `${string(name)}${colon}${spellInner(value[name] as Json)}`).join(comma)}}`;
}

function compareByUnit(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Compares by code point instead of UTF-16 code unit, like most languages other than JavaScript and Java. */
function compareByCodePoint(a: string, b: string): number {
  const [charsOfA, charsOfB] = [Array.from(a), Array.from(b)];
  const firstDifference = charsOfA.findIndex((char, index) => char !== charsOfB[index]);
  if (firstDifference === -1) return charsOfA.length - charsOfB.length;
  return (charsOfA[firstDifference]?.codePointAt(0) ?? 0) - (charsOfB[firstDifference]?.codePointAt(0) ?? -1);
}

function compareIgnoringCase(a: string, b: string): number {
  return compareByUnit(a.toLowerCase(), b.toLowerCase());
}

/** Compares as JavaScript objects order their members: first the names that are array indices, by number. */
function compareByIndex(a: string, b: string): number {
  const [indexOfA, indexOfB] = [a, b].map((name) =>
    /^(0|[1-9]\d{0,8})$/.test(name) ? Number(name) : Number.POSITIVE_INFINITY,
  );
  return indexOfA === indexOfB ? compareByUnit(a, b) : Number(indexOfA) - Number(indexOfB);
}

function escapeMatches(pattern: RegExp, spell: (char: string) => string): (text: string) => string {
  return (text) => JSON.stringify(text).replace(pattern, spell);
}

function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Spellings that occur in practice, by name, with their effect. */
export const spellings: Readonly<Record<string, { says: string; spelling: JsonSpelling }>> = {
  "insertion-order": { says: "in the order of writing", spelling: { order: false } },
  "code-point-order": { says: "in the order of code points", spelling: { order: compareByCodePoint } },
  "folded-order": { says: "in an order that ignores case", spelling: { order: compareIgnoringCase } },
  "index-order": {
    says: "with names of digits first, in the order of their numbers",
    spelling: { order: compareByIndex },
  },
  "outer-order": { says: "with only its outermost members in order", spelling: { shallow: true } },
  spaces: { says: "with a space after commas and colons", spelling: { comma: ", ", colon: ": " } },
  ascii: { says: "with escapes for all but ASCII", spelling: { string: escapeMatches(/[^ -~]/g, escapeOf) } },
  "escaped-solidus": { says: "with escaped slashes", spelling: { string: escapeMatches(/\//g, () => "\\/") } },
  "escaped-html": {
    says: "with escapes for characters with a meaning in HTML",
    spelling: { string: escapeMatches(/[<>&]/g, escapeOf) },
  },
  "long-escapes": {
    says: "with four digits although an escape of one letter exists",
    spelling: {
      string: escapeMatches(/\\[bfnrt]/g, (short) => escapeOf(JSON.parse(`"${short}"`) as string)),
    },
  },
  "upper-case-escapes": {
    says: "with upper-case digits in escapes",
    spelling: { string: escapeMatches(/(?<=\\u)[0-9a-f]{4}/g, (digits) => digits.toUpperCase()) },
  },
  composed: {
    says: "with its texts in normal form C",
    spelling: { string: (text) => JSON.stringify(text.normalize("NFC")) },
  },
  "without-null": { says: "without the members that are null", spelling: { withoutNull: true } },
  "null-lists": { says: "with null for empty lists", spelling: { emptyList: "null" } },
  "all-digits": {
    says: "with all digits of large integers",
    spelling: { number: (value) => (Number.isInteger(value) ? BigInt(value).toString() : String(value)) },
  },
  "plain-numbers": {
    says: "with numbers that have no exponent",
    spelling: { number: (value) => plainNumber(value) },
  },
  "two-digit-exponents": {
    says: "with at least two digits in an exponent",
    spelling: { number: (value) => String(value).replace(/(e[+-])(\d)$/, "$10$2") },
  },
  "fifteen-digits": {
    says: "with numbers cut to 15 digits",
    spelling: { number: (value) => String(Number(value.toPrecision(15))) },
  },
};

function plainNumber(value: number): string {
  if (Number.isInteger(value)) return BigInt(value).toString();
  return Math.abs(value) < 1e-6 ? value.toFixed(20).replace(/0+$/, "") : String(value);
}
