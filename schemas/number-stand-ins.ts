import { asDoubles, compareDecimals, type Decimal, decimalIn, nextDouble } from "./beyond-doubles.ts";
import { isObject, type Json, type JsonObject, setMember } from "./json.ts";
import { append } from "./pointer.ts";
import type { Text } from "./text-place.ts";

/** A keyword that maps the text of a double to the number that it replaces. No validator knows the keyword, so it has no effect. */
export const exactNumbersKey = "x-touchstone-stands-for";

/** The maximum number of doubles tried for one number. */
const maxSteps = 64;

/**
 * Doubles that replace numbers that no double equals. They have the same order as the numbers, also among all other doubles in the schemas,
 * so comparisons have the same results. In output, the number replaces its double.
 */
export class StandIns {
  readonly #doubles = new Map<string, number>();
  readonly #numbers = new Map<number, Decimal>();
  readonly #usedDoubles = new Set<number>();
  /** Each bound gets a separate double, even if several could share one: for versions that differ only in these bounds. */
  readonly hasSeparateBounds: boolean;

  constructor({ hasSeparateBounds = false }: { hasSeparateBounds?: boolean } = {}) {
    this.hasSeparateBounds = hasSeparateBounds;
  }

  /** Reserves the doubles that a document contains. */
  reserve({ value, number }: Pick<Text, "value" | "number">): void {
    replaceNumbers(value, (each, at) => {
      const text = number?.(at);
      const exact = text === undefined ? undefined : decimalIn(text);
      if (exact === undefined || isSame(each, exact)) this.#usedDoubles.add(each);
      return each;
    });
  }

  /** Reserves the doubles of schemas, except those in place of numbers. */
  reserveNumbersOf(schemas: readonly JsonObject[], exactNumbers: ReadonlyMap<number, string>): void {
    for (const number of numbersIn([...schemas])) if (!exactNumbers.has(number)) this.#usedDoubles.add(number);
  }

  /** The doubles for several numbers. Given out in ascending order, so that each number gets one. */
  ordered(texts: Iterable<string>): [double: number, text: string][] {
    const numbers = [...texts].flatMap((text) => {
      const number = decimalIn(text);
      return number === undefined ? [] : [{ text, number }];
    });
    return numbers
      .sort((a, b) => compareDecimals(a.number, b.number))
      .flatMap(({ text }) => {
        const double = this.of(text, -1);
        return double === undefined ? [] : [[double, text] as [number, string]];
      });
  }

  /** The double for a number, on the given side of it if possible. Undefined if no double is free, and for a number that a double equals. */
  of(text: string, side: 1 | -1): number | undefined {
    const known = this.#doubles.get(text);
    if (known !== undefined) return known;
    const number = decimalIn(text);
    const parsed = Number(text);
    if (number === undefined || !Number.isFinite(parsed) || isSame(parsed, number)) return undefined;
    const double = this.#findFree(number, parsed, side) ?? this.#findFree(number, parsed, side === 1 ? -1 : 1);
    if (double === undefined) return undefined;
    this.#doubles.set(text, double);
    this.#numbers.set(double, number);
    return double;
  }

  #findFree(number: Decimal, parsed: number, side: 1 | -1): number | undefined {
    let double = parsed;
    // Starts at the nearest double on that side, and moves on while other numbers use it.
    for (let step = 0; step < 8 && difference(double, number) * side < 0; step += 1) double = nextDouble(double, side);
    for (let step = 0; step < 8; step += 1) {
      const nearer = nextDouble(double, side === 1 ? -1 : 1);
      if (difference(nearer, number) * side < 0) break;
      double = nearer;
    }
    for (let step = 0; step < maxSteps && Number.isFinite(double); step += 1) {
      if (this.#usedDoubles.has(double)) return undefined;
      if (!this.#numbers.has(double)) return this.#isOrdered(number, double) ? double : undefined;
      double = nextDouble(double, side);
    }
    return undefined;
  }

  #isOrdered(number: Decimal, double: number): boolean {
    for (const [other, otherNumber] of this.#numbers)
      if (Math.sign(compareDecimals(number, otherNumber)) !== Math.sign(double - other)) return false;
    return true;
  }
}

function difference(double: number, number: Decimal): number {
  const doubleValue = decimalIn(String(double));
  return doubleValue === undefined ? Number.NaN : compareDecimals(doubleValue, number);
}

function isSame(double: number, number: Decimal): boolean {
  return difference(double, number) === 0;
}

function* numbersIn(value: Json): Generator<number> {
  const open: Json[] = [value];
  for (let each = open.pop(); each !== undefined; each = open.pop())
    if (typeof each === "number") yield each;
    else if (typeof each === "object" && each !== null)
      for (const below of valuesBeside(asDoubles, each)) open.push(below);
}

function valuesBeside(omitted: string, parent: Json[] | JsonObject): Json[] {
  return Object.entries(parent).flatMap(([name, value]) => (name === omitted ? [] : [value]));
}

/** The numbers replaced by doubles in the schemas, by double. A double for two different numbers is left out. */
export function exactNumbersIn(schemas: readonly JsonObject[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  const ambiguous = new Set<number>();
  const open: Json[] = [...schemas];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (typeof each !== "object" || each === null) continue;
    const { [exactNumbersKey]: own } = isObject(each) ? each : {};
    for (const [double, text] of isObject(own ?? null) ? Object.entries(own as JsonObject) : []) {
      const known = found.get(Number(double));
      if (known !== undefined && known !== text) ambiguous.add(Number(double));
      found.set(Number(double), String(text));
    }
    open.push(...Object.values(each));
  }
  for (const each of ambiguous) found.delete(each);
  return found;
}

/** The value with each number replaced by the result of a function. */
export function replaceNumbers(value: Json, replace: (number: number, at: string) => number, at = ""): Json {
  if (typeof value === "number") return replace(value, at);
  if (Array.isArray(value)) return value.map((each, index) => replaceNumbers(each, replace, append(at, index)));
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [name, each] of Object.entries(value))
    setMember(result, name, replaceNumbers(each, replace, append(at, name)));
  return result;
}

/** Whether the value contains a replaced number. */
export function hasStandIn(value: Json | undefined, exactNumbers: ReadonlyMap<number, string>): boolean {
  if (exactNumbers.size === 0 || value === undefined) return false;
  for (const number of numbersIn(value)) if (exactNumbers.has(number)) return true;
  return false;
}

/** The JSON text of the value, with the replaced numbers instead of their doubles. */
export function textWithExactNumbers(value: unknown, exactNumbers: ReadonlyMap<number, string>): string {
  return exactText(value as Json, (_, each) => exactNumbers.get(each));
}

/** The JSON text of a value with its numbers as given, by location; written as doubles if none is given. */
export function exactText(value: Json, numberAt: (at: string, number: number) => string | undefined, at = ""): string {
  if (typeof value === "number") return numberAt(at, value) ?? JSON.stringify(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const texts = Array.isArray(value)
    ? value.map((each, index) => exactText(each, numberAt, append(at, index)))
    : Object.entries(value).flatMap(([name, each]) =>
        each === undefined ? [] : [`${JSON.stringify(name)}:${exactText(each, numberAt, append(at, name))}`],
      );
  return Array.isArray(value) ? `[${texts.join(",")}]` : `{${texts.join(",")}}`;
}

/** Words with the replaced numbers instead of their doubles, outside of quotes. */
export function wordsWithExactNumbers(words: string, exactNumbers: ReadonlyMap<number, string>): string {
  if (exactNumbers.size === 0) return words;
  return words.replaceAll(stringOrWholeNumber, (each) =>
    each.startsWith('"') ? each : (exactNumbers.get(Number(each)) ?? each),
  );
}

const stringOrWholeNumber = /"(?:[^"\\]|\\.)*"|(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.]*\w)/g;
const stringOrNumber = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/g;

/**
 * A text like JSON with the replaced numbers instead of their doubles, outside of strings. Undefined if it spells such a double differently,
 * since the spelling would be lost.
 */
export function rawWithExactNumbers(raw: string, exactNumbers: ReadonlyMap<number, string>): string | undefined {
  let isRespelt = false;
  const text = raw.replaceAll(stringOrNumber, (each) => {
    const number = each.startsWith('"') ? undefined : exactNumbers.get(Number(each));
    if (number !== undefined && String(Number(each)) !== each) isRespelt = true;
    return number ?? each;
  });
  return isRespelt ? undefined : text;
}

/** The reverse of `rawWithExactNumbers`. */
export function rawWithStandIns(raw: string, exactNumbers: ReadonlyMap<number, string>): string {
  const doubles = new Map([...exactNumbers].map(([double, text]) => [text, String(double)]));
  return raw.replaceAll(stringOrNumber, (each) => doubles.get(each) ?? each);
}

/**
 * A message in the form for schemas with replaced numbers: the value of its text with these doubles, and, for each other number that no
 * double equals, a double on the same side of all numbers of the schemas.
 */
export function withMessageStandIns(
  value: Json,
  numberAt: (at: string) => string | undefined,
  schemas: readonly JsonObject[],
): Json {
  let exactNumbers: ReadonlyMap<number, string> | undefined;
  let own: Set<number> | undefined;
  return replaceNumbers(value, (each, at) => {
    const text = numberAt(at);
    const number = text === undefined ? undefined : decimalIn(text);
    if (number === undefined || isSame(each, number)) return each;
    exactNumbers ??= exactNumbersIn(schemas);
    own ??= new Set(numbersIn(schemas as JsonObject[]));
    const nearbyDoubles = [...own].filter((other) => Math.abs(other - each) <= Math.abs(each) * nearbyDistance);
    const marks = nearbyDoubles.flatMap((double) => {
      const number = decimalIn(exactNumbers?.get(double) ?? String(double));
      return number === undefined ? [] : [{ double, number }];
    });
    return standInBetween(each, number, marks);
  });
}

/** Doubles further apart than this, relative to their size, are not mistaken for each other. */
const nearbyDistance = 1e-12;

interface NumberMark {
  double: number;
  number: Decimal;
}

/** The double nearest to the number that is on the same side of each mark, or that of the mark if the numbers are equal. */
function standInBetween(parsed: number, number: Decimal, marks: readonly NumberMark[]): number {
  const isOnSameSides = (double: number): boolean =>
    marks.every((mark) => Math.sign(compareDecimals(number, mark.number)) === Math.sign(double - mark.double));
  for (let up = parsed, down = parsed, step = 0; step < maxSteps; step += 1) {
    if (isOnSameSides(up)) return up;
    if (isOnSameSides(down)) return down;
    up = nextDouble(up, 1);
    down = nextDouble(down, -1);
  }
  return parsed;
}
