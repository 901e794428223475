import type { Shape } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import { addSteps } from "../keywords/decimal.ts";
import { isDecimalMultiple } from "../keywords/multiple-of.ts";
import { scalarFits } from "../solve/shape.ts";
import { drawBelow, type Random, randomFrom, unit } from "./random.ts";

/** After this many attempts, the solver finds the number. */
const attempts = 30;

/** Draws integers or fractions of a shape: at the bounds, small ones, and of every magnitude between. Undefined if it finds none. */
export function numbersFor(shape: Shape, kind: number): ((random: Random) => number | undefined) | undefined {
  const integral = kind === kinds.integer;
  const { low, lowOpen, high, highOpen, multiples } = shape.number;
  const base = multiples.length === 0 ? undefined : Math.max(...multiples);
  const step = base ?? 1;
  const bounds = { low: integral ? Math.ceil(low) : low, high: integral ? Math.floor(high) : high };
  const first = lowOpen && integral && bounds.low === low ? low + 1 : bounds.low;
  const last = highOpen && integral && bounds.high === high ? high - 1 : bounds.high;
  const between = drawBetween(first, last);
  const candidate = (random: Random): number => {
    const choice = random.next() & 15;
    if (choice === 0 && Number.isFinite(first)) return alignBound(first, step, Math.ceil);
    if (choice === 1 && Number.isFinite(last)) return alignBound(last, step, Math.floor);
    const value = between(random);
    if (base !== undefined) return addSteps(0, Math.round(value / base), base);
    if (integral) return Math.round(value);
    return Number(value.toPrecision(1 + (choice % 15)));
  };
  const draw = (random: Random) => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const value = candidate(random);
      if (Number.isInteger(value) !== integral || !Number.isFinite(value) || !scalarFits(shape, value)) continue;
      return value === 0 ? 0 : value;
    }
    return undefined;
  };
  const probe = randomFrom(0);
  return Array.from({ length: 20 }, () => draw(probe)).every((value) => value === undefined) ? undefined : draw;
}

function alignBound(bound: number, step: number, round: (value: number) => number): number {
  return step === 1 || isDecimalMultiple(bound, step) ? bound : addSteps(0, round(bound / step), step);
}

/** Draws numbers between two bounds, which may be infinite: half of them uniformly, the other half by magnitude from the nearer bound. */
function drawBetween(low: number, high: number): (random: Random) => number {
  if (low > -Infinity && high < Infinity) {
    const width = high - low;
    const small = Math.log1p(width);
    return (random) => (random.next() & 1 ? low + unit(random) * width : low + Math.expm1(unit(random) * small));
  }
  const magnitude = (random: Random) => {
    const digits = random.next() & 3 ? drawBelow(random, 5) : drawBelow(random, 16);
    return unit(random) * 10 ** digits;
  };
  if (low > -Infinity) return (random) => low + magnitude(random);
  if (high < Infinity) return (random) => high - magnitude(random);
  return (random) => (random.next() & 1 ? magnitude(random) : -magnitude(random));
}
