import { asDoubles, compareDecimals, type Decimal, decimalIn, nextDouble } from "./beyond-doubles.ts";
import { isObject, type Json, type JsonObject, setMember } from "./json.ts";
import { append } from "./pointer.ts";
import type { Text } from "./text-place.ts";

/** In a schema: by the text of a double, the number that it replaces. No validator knows the keyword, so it has no effect. */
export const standsFor = "x-touchstone-stands-for";

/** How far from its number a double is looked for that is free. */
const maxSteps = 64;

/**
 * Doubles in place of numbers that no double equals. Their order is the order of these numbers and of all other doubles in the schemas, so
 * each comparison gives the result of the numbers. In output, the number replaces its double.
 */
export class StandIns {
  readonly #doubles = new Map<string, number>();
  readonly #numbers = new Map<number, Decimal>();
  readonly #own = new Set<number>();
  /** Each bound gets a separate double, even if several could share one: for versions that differ only in these bounds. */
  readonly isApart: boolean;

  constructor({ isApart = false }: { isApart?: boolean } = {}) {
    this.isApart = isApart;
  }

  /** Keeps the doubles that are written in a document for themselves. */
  keep({ value, number }: Pick<Text, "value" | "number">): void {
    replaceNumbers(value, (each, at) => {
      const text = number?.(at);
      const meant = text === undefined ? undefined : decimalIn(text);
      if (meant === undefined || isSame(each, meant)) this.#own.add(each);
      return each;
    });
  }

  /** Reserves the doubles of schemas, except those in place of numbers. */
  keepOthers(schemas: readonly JsonObject[], meant: ReadonlyMap<number, string>): void {
    for (const number of numbersIn([...schemas])) if (!meant.has(number)) this.#own.add(number);
  }

  /** The doubles for several numbers, which get them in their order: then there is one for each. */
  ordered(texts: Iterable<string>): [double: number, text: string][] {
    const numbers = [...texts].flatMap((text) => {
      const number = decimalIn(text);
      return number === undefined ? [] : [{ text, number }];
    });
    return numbers
      .sort((one, other) => compareDecimals(one.number, other.number))
      .flatMap(({ text }) => {
        const double = this.of(text, -1);
        return double === undefined ? [] : [[double, text] as [number, string]];
      });
  }

  /** The double for a number; `side`: the side on which to look for a free one first. Undefined if none is free, and for a text of a double. */
  of(text: string, side: 1 | -1): number | undefined {
    const known = this.#doubles.get(text);
    if (known !== undefined) return known;
    const number = decimalIn(text);
    const read = Number(text);
    if (number === undefined || !Number.isFinite(read) || isSame(read, number)) return undefined;
    const found = this.#free(number, read, side) ?? this.#free(number, read, side === 1 ? -1 : 1);
    if (found === undefined) return undefined;
    this.#doubles.set(text, found);
    this.#numbers.set(found, number);
    return found;
  }

  #free(number: Decimal, read: number, side: 1 | -1): number | undefined {
    let each = read;
    // To the first double on that side, and on from it while others have it.
    for (let step = 0; step < 8 && difference(each, number) * side < 0; step += 1) each = nextDouble(each, side);
    for (let step = 0; step < 8; step += 1) {
      const nearer = nextDouble(each, side === 1 ? -1 : 1);
      if (difference(nearer, number) * side < 0) break;
      each = nearer;
    }
    for (let step = 0; step < maxSteps && Number.isFinite(each); step += 1) {
      if (this.#own.has(each)) return undefined;
      if (!this.#numbers.has(each)) return this.#isOrdered(number, each) ? each : undefined;
      each = nextDouble(each, side);
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
  const own = decimalIn(String(double));
  return own === undefined ? Number.NaN : compareDecimals(own, number);
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

function valuesBeside(left: string, parent: Json[] | JsonObject): Json[] {
  return Object.entries(parent).flatMap(([name, value]) => (name === left ? [] : [value]));
}

/** The numbers replaced by doubles in the schemas, by double. A double for two numbers counts for none. */
export function numbersMeant(schemas: readonly JsonObject[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  const torn = new Set<number>();
  const open: Json[] = [...schemas];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (typeof each !== "object" || each === null) continue;
    const { [standsFor]: own } = isObject(each) ? each : {};
    for (const [double, text] of isObject(own ?? null) ? Object.entries(own as JsonObject) : []) {
      const known = found.get(Number(double));
      if (known !== undefined && known !== text) torn.add(Number(double));
      found.set(Number(double), String(text));
    }
    open.push(...Object.values(each));
  }
  for (const each of torn) found.delete(each);
  return found;
}

/** The value with each number of the first kind as one of the second. */
export function replaceNumbers(value: Json, numbers: (number: number, at: string) => number, at = ""): Json {
  if (typeof value === "number") return numbers(value, at);
  if (Array.isArray(value)) return value.map((each, index) => replaceNumbers(each, numbers, append(at, index)));
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [name, each] of Object.entries(value))
    setMember(result, name, replaceNumbers(each, numbers, append(at, name)));
  return result;
}

/** Whether the value contains a replaced number. */
export function hasMeant(value: Json | undefined, meant: ReadonlyMap<number, string>): boolean {
  if (meant.size === 0 || value === undefined) return false;
  for (const number of numbersIn(value)) if (meant.has(number)) return true;
  return false;
}

/** The JSON text of the value, with the replaced numbers instead of their doubles. */
export function textWithMeant(value: unknown, meant: ReadonlyMap<number, string>): string {
  return exactText(value as Json, (_, each) => meant.get(each));
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
export function wordsWithMeant(words: string, meant: ReadonlyMap<number, string>): string {
  if (meant.size === 0) return words;
  return words.replaceAll(aNumber, (each) => (each.startsWith('"') ? each : (meant.get(Number(each)) ?? each)));
}

const aNumber = /"(?:[^"\\]|\\.)*"|(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.]*\w)/g;
const stringOrNumber = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/g;

/**
 * A text like JSON with the replaced numbers instead of their doubles, outside of strings. Undefined if it spells such a double differently,
 * since the spelling would be lost.
 */
export function rawWithMeant(raw: string, meant: ReadonlyMap<number, string>): string | undefined {
  let isSpelt = false;
  const text = raw.replaceAll(stringOrNumber, (each) => {
    const number = each.startsWith('"') ? undefined : meant.get(Number(each));
    if (number !== undefined && String(Number(each)) !== each) isSpelt = true;
    return number ?? each;
  });
  return isSpelt ? undefined : text;
}

/** The reverse of `rawWithMeant`. */
export function rawWithStandIns(raw: string, meant: ReadonlyMap<number, string>): string {
  const doubles = new Map([...meant].map(([double, text]) => [text, String(double)]));
  return raw.replaceAll(stringOrNumber, (each) => doubles.get(each) ?? each);
}

/**
 * A message in the form for schemas with replaced numbers: the value of its text with these doubles, and, for each other number that no
 * double equals, a double on the same side of all numbers of the schemas.
 */
export function asMeant(
  value: Json,
  numberAt: (at: string) => string | undefined,
  schemas: readonly JsonObject[],
): Json {
  let meant: ReadonlyMap<number, string> | undefined;
  let own: Set<number> | undefined;
  return replaceNumbers(value, (each, at) => {
    const text = numberAt(at);
    const number = text === undefined ? undefined : decimalIn(text);
    if (number === undefined || isSame(each, number)) return each;
    meant ??= numbersMeant(schemas);
    own ??= new Set(numbersIn(schemas as JsonObject[]));
    const near = [...own].filter((other) => Math.abs(other - each) <= Math.abs(each) * nearbyDistance);
    const marks = near.flatMap((double) => {
      const number = decimalIn(meant?.get(double) ?? String(double));
      return number === undefined ? [] : [{ double, number }];
    });
    return standInBetween(each, number, marks);
  });
}

/** Further away no double is mistaken for another, as a part of it. */
const nearbyDistance = 1e-12;

interface NumberMark {
  double: number;
  number: Decimal;
}

/** The double nearest to the number on the same side of each mark, or the mark's own if the numbers are equal. */
function standInBetween(read: number, number: Decimal, marks: readonly NumberMark[]): number {
  const isRight = (double: number): boolean =>
    marks.every((mark) => Math.sign(compareDecimals(number, mark.number)) === Math.sign(double - mark.double));
  for (let up = read, down = read, step = 0; step < maxSteps; step += 1) {
    if (isRight(up)) return up;
    if (isRight(down)) return down;
    up = nextDouble(up, 1);
    down = nextDouble(down, -1);
  }
  return read;
}
