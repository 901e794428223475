import type { Shape } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import { addSteps } from "../keywords/decimal.ts";
import { isDecimalMultiple } from "../keywords/multiple-of.ts";
import { scalarFits } from "../solve/shape.ts";
import { drawBelow, drawUnit, type Random, randomFrom } from "./random.ts";

/** After this many failed attempts, the solver finds the number. */
const attempts = 30;

/** Returns a function that draws integers or fractions of a shape: the bounds, small numbers, and numbers of every magnitude. Undefined if none is found. */
export function numbersFor(shape: Shape, kind: number): ((random: Random) => number | undefined) | undefined {
  const isIntegral = kind === kinds.integer;
  const { low, lowOpen, high, highOpen, multiples } = shape.number;
  const base = multiples.length === 0 ? undefined : Math.max(...multiples);
  const step = base ?? 1;
  const bounds = { low: isIntegral ? Math.ceil(low) : low, high: isIntegral ? Math.floor(high) : high };
  const first = lowOpen && isIntegral && bounds.low === low ? low + 1 : bounds.low;
  const last = highOpen && isIntegral && bounds.high === high ? high - 1 : bounds.high;
  const drawAny = drawBetween(first, last);
  const drawCandidate = (random: Random): number => {
    const choice = random.next() & 15;
    if (choice === 0 && Number.isFinite(first)) return alignBound(first, step, Math.ceil);
    if (choice === 1 && Number.isFinite(last)) return alignBound(last, step, Math.floor);
    const value = drawAny(random);
    if (base !== undefined) return addSteps(0, Math.round(value / base), base);
    if (isIntegral) return Math.round(value);
    return Number(value.toPrecision(1 + (choice % 15)));
  };
  const draw = (random: Random) => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const value = drawCandidate(random);
      if (Number.isInteger(value) !== isIntegral || !Number.isFinite(value) || !scalarFits(shape, value)) continue;
      return value === 0 ? 0 : value;
    }
    return undefined;
  };
  // A shape without any number in the first draws counts as empty.
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
    const logWidth = Math.log1p(width);
    return (random) =>
      random.next() & 1 ? low + drawUnit(random) * width : low + Math.expm1(drawUnit(random) * logWidth);
  }
  const drawMagnitude = (random: Random) => {
    const digits = random.next() & 3 ? drawBelow(random, 5) : drawBelow(random, 16);
    return drawUnit(random) * 10 ** digits;
  };
  if (low > -Infinity) return (random) => low + drawMagnitude(random);
  if (high < Infinity) return (random) => high - drawMagnitude(random);
  return (random) => (random.next() & 1 ? drawMagnitude(random) : -drawMagnitude(random));
}
