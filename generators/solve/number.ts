import type { Shape } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import { addSteps } from "../keywords/decimal.ts";
import { isMultiple } from "../keywords/multiple-of.ts";
import { type Grid, gridOf } from "./grid.ts";
import type { Search } from "./search.ts";
import { scalarFits } from "./shape.ts";

/** Makes numbers that fit a shape: the hint, small ones, numbers at and next to the bounds, and multiples. */
export function* numbersOf(shape: Shape, kind: number, hint: unknown, search: Search): Generator<number> {
  const isKind = (value: number) => Number.isFinite(value) && (kind === kinds.integer) === Number.isInteger(value);
  const offered = new Set<number>();
  const offer = function* (values: Iterable<number>): Generator<number> {
    for (const value of values) {
      if (offered.has(value) || !isKind(value) || !scalarFits(shape, value)) continue;
      offered.add(value);
      yield value === 0 ? 0 : value;
    }
  };
  const grid = gridOf(shape.number, kind);
  const isDisputed = grid !== undefined && hasDisputedMultiple(shape, grid, isKind);
  if (
    !isDisputed &&
    grid !== undefined &&
    (grid.coversRange || grid.isPeriodic) &&
    hasNone(grid, (value) => isKind(value) && scalarFits(shape, value))
  )
    return;
  yield* offer(candidates(shape, kind, hint));
  if (grid !== undefined) yield* offer(grid.values());
  if (isDisputed || !isCovered(shape, kind, grid, offered.size)) search.giveUp("a further number");
}

/** Whether there is a number that only some implementations treat as a multiple, such as 0.6 for 0.2. It is not used, but it prevents a proof that there is no number. */
function hasDisputedMultiple({ number, ...rest }: Shape, grid: Grid, isKind: (value: number) => boolean): boolean {
  const divisors = [...number.multiples, ...number.notMultiples];
  if (divisors.every(Number.isInteger)) return false;
  const shapeWithoutMultiples: Shape = { ...rest, number: { ...number, multiples: [], notMultiples: [] } };
  for (const value of grid.period())
    if (
      isKind(value) &&
      divisors.some((divisor) => isMultiple(value, divisor) === undefined) &&
      scalarFits(shapeWithoutMultiples, value)
    )
      return true;
  return false;
}

function hasNone(grid: Grid, fits: (value: number) => boolean): boolean {
  for (const value of grid.period()) if (fits(value)) return false;
  return true;
}

/** Whether all numbers were tried: the range is short, or it has a single number, or a whole period of the multiples has none. */
function isCovered({ number }: Shape, kind: number, grid: Grid | undefined, offered: number): boolean {
  if (kind === kinds.fraction && (number.low === number.high || number.multiples.some(Number.isInteger))) return true;
  if (kind === kinds.integer && Math.floor(number.high) - Math.ceil(number.low) < 80) return true;
  return grid?.coversRange === true || (grid?.isPeriodic === true && offered === 0);
}

/** Numbers to try, likely ones first. The counts only limit the effort: a range that they do not cover is never reported as empty. */
function* candidates(shape: Shape, kind: number, hint: unknown): Generator<number> {
  const { low, high, multiples, notMultiples } = shape.number;
  if (typeof hint === "number") yield hint;
  const step = kind === kinds.integer ? 1 : 0.5;
  if (multiples.length > 0) {
    const base = multiples.reduce(leastCommonMultiple);
    const startBelowHigh = Number.isFinite(high) ? Math.floor(high / base) - 8 : 0;
    const start = Number.isFinite(low) ? Math.floor(low / base) : startBelowHigh;
    // A bound is not tried first. Otherwise an implementation with a mistake at the bound would fail for every instance.
    yield addSteps(0, Math.ceil(1 / base), base);
    for (let index = 0; index < 64; index += 1) yield addSteps(0, start + index, base);
    for (let index = 1; index < 64; index += 1) yield addSteps(0, start + index, base / 2);
    for (let index = 0; index < 64; index += 1) yield addSteps(0, start + index, multiples[0] as number);
  }
  const bounds = kind === kinds.integer ? [Math.ceil(low), Math.floor(high)] : [low, high];
  for (const value of [1, 0, 2, 0.5, 1.5, -1, -0.5]) yield value;
  for (const bound of bounds) {
    for (let index = 0; index < 40; index += 1) {
      yield bound + index * step;
      yield bound - index * step;
    }
  }
  for (const divisor of notMultiples)
    for (const start of [0, low, high]) yield* [addSteps(start, 0.5, divisor), addSteps(start, -0.5, divisor)];
  if (Number.isFinite(low) && Number.isFinite(high))
    for (let part = 1; part < 16; part += 1) yield low + ((high - low) * part) / 16;
  for (let value = 3; value < 300; value += 1) yield value;
  // More numbers, for long lists of different ones.
  for (const bound of bounds) {
    for (let index = 40; index < 400; index += 1) {
      yield bound + index * step;
      yield bound - index * step;
    }
  }
}

function leastCommonMultiple(first: number, second: number): number {
  if (!Number.isInteger(first) || !Number.isInteger(second)) return Math.max(first, second);
  let [divisor, remainder] = [first, second];
  while (remainder !== 0) [divisor, remainder] = [remainder, divisor % remainder];
  return (first / divisor) * second;
}
