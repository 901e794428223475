import { kinds, type Shape } from "./formula.ts";
import type { Search } from "./search.ts";
import { scalarFits } from "./shape.ts";

/** Numbers of a shape: the hint, small ones, those at and next to the bounds, multiples. */
export function* numbersOf(shape: Shape, kind: number, hint: unknown, search: Search): Generator<number> {
  const isKind = (value: number) => Number.isFinite(value) && (kind === kinds.integer) === Number.isInteger(value);
  const given = new Set<number>();
  for (const value of candidates(shape, kind, hint)) {
    if (given.has(value) || !isKind(value) || !scalarFits(shape, value)) continue;
    given.add(value);
    yield value === 0 ? 0 : value;
  }
  if (!isCovered(shape, kind)) search.giveUp("a further number");
}

/** Whether the candidates are all there are: a short range of integers, or nothing at all. */
function isCovered({ number }: Shape, kind: number): boolean {
  const { low, high, multiples, notMultiples } = number;
  const whole = multiples.filter(Number.isInteger);
  if (kind === kinds.fraction) return low === high || whole.length > 0;
  const base = whole.reduce(leastCommonMultiple, 1);
  return Math.floor(high) - Math.ceil(low) < 80 || notMultiples.some((of) => Number.isInteger(of) && base % of === 0);
}

function* candidates(shape: Shape, kind: number, hint: unknown): Generator<number> {
  const { low, high, multiples, notMultiples } = shape.number;
  if (typeof hint === "number") yield hint;
  const step = kind === kinds.integer ? 1 : 0.5;
  if (multiples.length > 0) {
    const base = multiples.reduce(leastCommonMultiple);
    const start = Number.isFinite(low)
      ? Math.floor(low / base)
      : Number.isFinite(high)
        ? Math.floor(high / base) - 8
        : 0;
    for (let index = 0; index < 64; index += 1) yield (start + index) * base;
    for (let index = 1; index < 64; index += 1) yield (start + index) * base * 0.5;
    for (let index = 0; index < 64; index += 1) yield (start + index) * (multiples[0] as number);
  }
  const integral = kind === kinds.integer ? [Math.ceil(low), Math.floor(high)] : [low, high];
  for (const value of [1, 0, 2, 0.5, 1.5, -1, -0.5]) yield value;
  for (const bound of integral) {
    for (let index = 0; index < 40; index += 1) {
      yield bound + index * step;
      yield bound - index * step;
    }
  }
  for (const of of notMultiples) for (const start of [0, low, high]) yield* [start + of / 2, start - of / 2];
  if (Number.isFinite(low) && Number.isFinite(high))
    for (let part = 1; part < 16; part += 1) yield low + ((high - low) * part) / 16;
  for (let value = 3; value < 300; value += 1) yield value;
  // Further ones, for lists of many different ones.
  for (const bound of integral) {
    for (let index = 40; index < 400; index += 1) {
      yield bound + index * step;
      yield bound - index * step;
    }
  }
}

function leastCommonMultiple(a: number, b: number): number {
  if (!Number.isInteger(a) || !Number.isInteger(b)) return Math.max(a, b);
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return (a / x) * b;
}
