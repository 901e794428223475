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
    replaceNumbers(value, (double, at) => {
      const text = number?.(at);
      const exact = text === undefined ? undefined : decimalIn(text);
      if (exact === undefined || isSame(double, exact)) this.#usedDoubles.add(double);
      return double;
    });
  }

  /** Reserves the doubles of schemas, except those in place of numbers. */
  reserveNumbersOf(schemas: readonly JsonObject[], exactNumbers: ReadonlyMap<number, string>): void {
    for (const number of numbersIn([...schemas])) if (!exactNumbers.has(number)) this.#usedDoubles.add(number);
  }

  /** Returns the doubles for several numbers. Assigns them in ascending order, so that each number gets one. */
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

  /** Returns the double for a number, on the given side of it if possible. Undefined if no double is free, or if a double equals the number. */
  of(text: string, side: 1 | -1): number | undefined {
    const assigned = this.#doubles.get(text);
    if (assigned !== undefined) return assigned;
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
  const unvisited: Json[] = [value];
  for (let visited = unvisited.pop(); visited !== undefined; visited = unvisited.pop())
    if (typeof visited === "number") yield visited;
    else if (typeof visited === "object" && visited !== null)
      for (const child of valuesBeside(asDoubles, visited)) unvisited.push(child);
}

function valuesBeside(omitted: string, parent: Json[] | JsonObject): Json[] {
  return Object.entries(parent).flatMap(([name, value]) => (name === omitted ? [] : [value]));
}

/** The exact numbers that doubles in the schemas replace, by double. A double that replaces two different numbers is left out. */
export function exactNumbersIn(schemas: readonly JsonObject[]): ReadonlyMap<number, string> {
  const exactNumbers = new Map<number, string>();
  const ambiguous = new Set<number>();
  const unvisited: Json[] = [...schemas];
  for (let visited = unvisited.pop(); visited !== undefined; visited = unvisited.pop()) {
    if (typeof visited !== "object" || visited === null) continue;
    const { [exactNumbersKey]: mapping } = isObject(visited) ? visited : {};
    for (const [double, text] of isObject(mapping ?? null) ? Object.entries(mapping as JsonObject) : []) {
      const earlierText = exactNumbers.get(Number(double));
      if (earlierText !== undefined && earlierText !== text) ambiguous.add(Number(double));
      exactNumbers.set(Number(double), String(text));
    }
    unvisited.push(...Object.values(visited));
  }
  for (const double of ambiguous) exactNumbers.delete(double);
  return exactNumbers;
}

/** Copies the value, and replaces each number by the result of `replace`. */
export function replaceNumbers(value: Json, replace: (number: number, at: string) => number, at = ""): Json {
  if (typeof value === "number") return replace(value, at);
  if (Array.isArray(value)) return value.map((item, index) => replaceNumbers(item, replace, append(at, index)));
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [name, member] of Object.entries(value))
    setMember(result, name, replaceNumbers(member, replace, append(at, name)));
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
  return exactText(value as Json, (_, double) => exactNumbers.get(double));
}

/** The JSON text of a value. Each number is written as `numberAt` spells it for its location, or else as a double. */
export function exactText(value: Json, numberAt: (at: string, number: number) => string | undefined, at = ""): string {
  if (typeof value === "number") return numberAt(at, value) ?? JSON.stringify(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const texts = Array.isArray(value)
    ? value.map((item, index) => exactText(item, numberAt, append(at, index)))
    : Object.entries(value).flatMap(([name, member]) =>
        member === undefined ? [] : [`${JSON.stringify(name)}:${exactText(member, numberAt, append(at, name))}`],
      );
  return Array.isArray(value) ? `[${texts.join(",")}]` : `{${texts.join(",")}}`;
}

/** Writes the exact numbers in place of their doubles in a sentence, outside of quotes. */
export function wordsWithExactNumbers(words: string, exactNumbers: ReadonlyMap<number, string>): string {
  if (exactNumbers.size === 0) return words;
  return words.replaceAll(stringOrWholeNumber, (match) =>
    match.startsWith('"') ? match : (exactNumbers.get(Number(match)) ?? match),
  );
}

const stringOrWholeNumber = /"(?:[^"\\]|\\.)*"|(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.]*\w)/g;
const stringOrNumber = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/g;

/**
 * Writes the exact numbers in place of their doubles in a text similar to JSON, outside of strings. Undefined if the text spells such a double
 * differently, because the spelling would be lost.
 */
export function rawWithExactNumbers(raw: string, exactNumbers: ReadonlyMap<number, string>): string | undefined {
  let isRespelt = false;
  const text = raw.replaceAll(stringOrNumber, (match) => {
    const number = match.startsWith('"') ? undefined : exactNumbers.get(Number(match));
    if (number !== undefined && String(Number(match)) !== match) isRespelt = true;
    return number ?? match;
  });
  return isRespelt ? undefined : text;
}

/** The reverse of `rawWithExactNumbers`. */
export function rawWithStandIns(raw: string, exactNumbers: ReadonlyMap<number, string>): string {
  const doubles = new Map([...exactNumbers].map(([double, text]) => [text, String(double)]));
  return raw.replaceAll(stringOrNumber, (match) => doubles.get(match) ?? match);
}

/**
 * Prepares a message for schemas with replaced numbers: writes the same doubles for the same numbers. Any other number that no double equals
 * becomes a double on the same side of all numbers in the schemas.
 */
export function withMessageStandIns(
  value: Json,
  numberAt: (at: string) => string | undefined,
  schemas: readonly JsonObject[],
): Json {
  let exactNumbers: ReadonlyMap<number, string> | undefined;
  let schemaNumbers: Set<number> | undefined;
  return replaceNumbers(value, (double, at) => {
    const text = numberAt(at);
    const number = text === undefined ? undefined : decimalIn(text);
    if (number === undefined || isSame(double, number)) return double;
    exactNumbers ??= exactNumbersIn(schemas);
    schemaNumbers ??= new Set(numbersIn(schemas as JsonObject[]));
    const nearbyDoubles = [...schemaNumbers].filter(
      (other) => Math.abs(other - double) <= Math.abs(double) * nearbyDistance,
    );
    const marks = nearbyDoubles.flatMap((nearby) => {
      const exact = decimalIn(exactNumbers?.get(nearby) ?? String(nearby));
      return exact === undefined ? [] : [{ double: nearby, number: exact }];
    });
    return standInBetween(double, number, marks);
  });
}

/** Doubles further apart than this, relative to their size, are not mistaken for each other. */
const nearbyDistance = 1e-12;

interface NumberMark {
  double: number;
  number: Decimal;
}

/** Returns the nearest double on the same side of each mark as the number; for a number equal to a mark's, the double of that mark. */
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
