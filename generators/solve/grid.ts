import type { Shape } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import { leastCommonMultiple, placesOf, scaledTo } from "../keywords/decimal.ts";

/** The common multiples of all required divisors, in trial order. */
export interface Grid {
  values(): Generator<number>;
  /** The multiples of one period, or all if there are fewer. */
  period(): Generator<number>;
  /** Whether `values` covers the whole range. */
  coversRange: boolean;
  /** Whether the forbidden divisors repeat their pattern after one period. Then, if no number of the period fits, none does. */
  isPeriodic: boolean;
}

const maxValues = 20_000n;

/** How many values beyond one period are tried in an unbounded range. */
const valuesBeyondPeriod = 1000n;

/** Up to this absolute value, products and divisions of integers are treated as exact. */
const exactLimit = 2 ** 50;

/** Returns the multiples in the range of a shape. Undefined if they have no common step, or one with too many digits. */
export function gridOf({ low, high, multiples, notMultiples }: Shape["number"], kind: number): Grid | undefined {
  const divisors = [...multiples, ...notMultiples];
  const digits = Math.max(0, ...divisors.map(placesOf));
  if (digits > 15 || (kind !== kinds.integer && multiples.length === 0)) return undefined;
  const unit = 10n ** BigInt(digits);
  const scaleValue = (valueAt: number): bigint => scaledTo(valueAt, digits);
  const step = [...multiples.map(scaleValue), ...(kind === kinds.integer ? [unit] : [])].reduce(leastCommonMultiple);
  const period = [...notMultiples.map(scaleValue), unit].reduce(leastCommonMultiple, step) / step;
  // `stepsTo` rounds towards 0, so the range is widened by one step on each side.
  const first = Number.isFinite(low) ? stepsTo(low, step, digits) - 1n : undefined;
  const last = Number.isFinite(high) ? stepsTo(high, step, digits) + 1n : undefined;
  const count = first === undefined || last === undefined ? undefined : last - first + 1n;
  const length = leastOf(count ?? period + valuesBeyondPeriod, maxValues);
  const value = (index: bigint) => Number(`${index * step}e-${digits}`);
  const start = first ?? last ?? 0n;
  const isNear = [first ?? 0n, last ?? 0n].every((index) => Math.abs(Number(index)) < exactLimit);
  // Unless a step is a sum of powers of two, the multiples that division misses are not periodic.
  const isExact =
    divisors.every((divisor) => Number.isInteger(divisor * 1024)) && Math.abs(Number(start * step)) < exactLimit;
  const valuesUpTo = function* (end: bigint): Generator<number> {
    // From the lower bound upwards, else from the upper bound downwards, else from 0.
    const direction = first === undefined && last !== undefined ? -1n : 1n;
    for (let index = 0n; index < end; index += 1n) yield value(start + direction * index);
  };
  if (isNear && count !== undefined && count <= 0n)
    return { *values() {}, *period() {}, coversRange: true, isPeriodic: true };
  return {
    values: () => valuesUpTo(length),
    period: () => valuesUpTo(leastOf(length, period + 2n)),
    coversRange: isNear && count !== undefined && count <= length,
    isPeriodic: isExact && period <= length,
  };
}

/** Returns the number of whole steps between 0 and a number, rounded towards 0. `step` is in units of 10^-digits. */
function stepsTo(value: number, step: bigint, digits: number): bigint {
  const places = Math.max(digits, placesOf(value));
  return scaledTo(value, places) / (step * 10n ** BigInt(places - digits));
}

function leastOf(first: bigint, second: bigint): bigint {
  return first < second ? first : second;
}
