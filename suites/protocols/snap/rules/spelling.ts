import { isObject, type Json } from "../../../../schemas/index.ts";

/** A spelling of JSON that nearly follows RFC 8785. A missing member means the right choice. */
export interface JsonSpelling {
  /** The order of members, at a depth counted from 0; `false` keeps the given order. */
  order?: false | ((a: string, b: string) => number);
  /** Orders the outermost members only. */
  shallow?: true;
  /** Leaves out members that are null. */
  withoutNull?: true;
  emptyList?: string;
  comma?: string;
  colon?: string;
  string?(text: string): string;
  number?(value: number): string;
}

/** Writes a value in this spelling; without one, according to RFC 8785. */
export function spellValue(value: Json, spelling: JsonSpelling = {}, depth = 0): string {
  const { order = compareByUnit, shallow, withoutNull, comma = ",", colon = ":", string = JSON.stringify } = spelling;
  const { number = String, emptyList = "[]" } = spelling;
  const spellInner = (each: Json): string => spellValue(each, spelling, depth + 1);
  if (typeof value === "string") return string(value);
  if (typeof value === "number") return number(value);
  if (Array.isArray(value)) return value.length === 0 ? emptyList : `[${value.map(spellInner).join(comma)}]`;
  if (!isObject(value)) return String(value);
  const names = Object.keys(value).filter((name) => withoutNull === undefined || value[name] !== null);
  if (order !== false && (shallow === undefined || depth === 0)) names.sort(order);
  return `{${names.map((name) => `${string(name)}${colon}${spellInner(value[name] as Json)}`).join(comma)}}`;
}

function compareByUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares by code point instead of UTF-16 code unit, like most languages other than JavaScript and Java. */
function compareByCodePoint(a: string, b: string): number {
  const [leftParts, rightParts] = [Array.from(a), Array.from(b)];
  const index = leftParts.findIndex((char, at) => char !== rightParts[at]);
  if (index === -1) return leftParts.length - rightParts.length;
  return (leftParts[index]?.codePointAt(0) ?? 0) - (rightParts[index]?.codePointAt(0) ?? -1);
}

function compareFolded(a: string, b: string): number {
  return compareByUnit(a.toLowerCase(), b.toLowerCase());
}

/** Compares as JavaScript objects order their members: names that are indices come first, by number. */
function compareByIndex(a: string, b: string): number {
  const [leftParts, rightParts] = [a, b].map((name) =>
    /^(0|[1-9]\d{0,8})$/.test(name) ? Number(name) : Number.POSITIVE_INFINITY,
  );
  return leftParts === rightParts ? compareByUnit(a, b) : Number(leftParts) - Number(rightParts);
}

function withEscapes(pattern: RegExp, spell: (char: string) => string): (text: string) => string {
  return (text) => JSON.stringify(text).replace(pattern, spell);
}

function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Spellings that occur in practice, by name, with their effect. */
export const spellings: Readonly<Record<string, { says: string; spelling: JsonSpelling }>> = {
  "insertion-order": { says: "in the order of writing", spelling: { order: false } },
  "code-point-order": { says: "in the order of code points", spelling: { order: compareByCodePoint } },
  "folded-order": { says: "in an order that ignores case", spelling: { order: compareFolded } },
  "index-order": {
    says: "with names of digits first, in the order of their numbers",
    spelling: { order: compareByIndex },
  },
  "outer-order": { says: "with only its outermost members in order", spelling: { shallow: true } },
  spaces: { says: "with a space after commas and colons", spelling: { comma: ", ", colon: ": " } },
  ascii: { says: "with escapes for all but ASCII", spelling: { string: withEscapes(/[^ -~]/g, escapeOf) } },
  "escaped-solidus": { says: "with escaped slashes", spelling: { string: withEscapes(/\//g, () => "\\/") } },
  "escaped-html": {
    says: "with escapes for characters with a meaning in HTML",
    spelling: { string: withEscapes(/[<>&]/g, escapeOf) },
  },
  "long-escapes": {
    says: "with four digits although an escape of one letter exists",
    spelling: {
      string: withEscapes(/\\[bfnrt]/g, (short) => escapeOf(JSON.parse(`"${short}"`) as string)),
    },
  },
  "upper-case-escapes": {
    says: "with upper-case digits in escapes",
    spelling: { string: withEscapes(/(?<=\\u)[0-9a-f]{4}/g, (digits) => digits.toUpperCase()) },
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
