// JSON numbers are decimals of any length (RFC 8259, 6), and schema bounds apply to these decimals (Core 4.2.1 of 2020-12). JavaScript has doubles.

/** The keyword for the bounds as JavaScript reads them, in addition to the exact bounds. */
export const asDoubles = "x-touchstone-as-doubles";

/** A bound as a decimal: `digits` times ten to the power of `-places`. */
export interface Decimal {
  digits: bigint;
  places: number;
}

/** Numbers with more digits before or after the point are not compared: such bounds are never intended. */
const maxPlaces = 2000;

/** The number in a JSON text; undefined if it is too long. */
export function decimalIn(text: string): Decimal | undefined {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const places = fraction.length - Number(exponent);
  if (whole === "" || Math.abs(places) > maxPlaces || whole.length > maxPlaces) return undefined;
  return { digits: BigInt(`${sign}${whole}${fraction}`), places };
}

/** Negative if the first is less, positive if it is greater. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const maximumPlaces = Math.max(a.places, b.places);
  const scaleDecimal = ({ digits, places }: Decimal): bigint => digits * 10n ** BigInt(maximumPlaces - places);
  const difference = scaleDecimal(a) - scaleDecimal(b);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** The next double: upwards for 1, downwards for -1. */
export function nextDouble(value: number, direction: 1 | -1): number {
  if (value === 0) return direction * Number.MIN_VALUE;
  const bits = new BigInt64Array(1);
  const doubles = new Float64Array(bits.buffer);
  doubles[0] = value;
  bits[0] = (bits[0] as bigint) + BigInt(value > 0 ? direction : -direction);
  return doubles[0];
}

/** The side of a bound on which its double must be, so that the bound keeps its verdict for every other double. */
const sides: Readonly<Record<string, 1 | -1>> = {
  maximum: -1,
  exclusiveMinimum: -1,
  minimum: 1,
  exclusiveMaximum: 1,
};

/** The side on which the replacement of a keyword's number must be: 1 above it, -1 below it (also for keywords that are not bounds). */
export function replacementSide(keyword: string): 1 | -1 {
  return sides[keyword] ?? -1;
}

/**
 * The double to use for a bound that no double equals, so that every number written as a double gets the same verdict: the last double
 * before `maximum`, the first after `minimum`. Undefined if the double gives the same verdicts as the text.
 */
export function boundInDoubles(keyword: string, value: number, text: string): number | undefined {
  const side = sides[keyword];
  const exactDecimal = decimalIn(text);
  const parsedDecimal = decimalIn(String(value));
  if (
    side === undefined ||
    exactDecimal === undefined ||
    parsedDecimal === undefined ||
    compareDecimals(parsedDecimal, exactDecimal) === 0
  )
    return undefined;
  const isOnSide = (candidate: number): boolean => {
    const decimal = decimalIn(String(candidate));
    return decimal !== undefined && compareDecimals(decimal, exactDecimal) * side >= 0;
  };
  let nearest = value;
  // `value` may be some doubles away from the exact bound, because both are compared by their shortest text.
  for (let step = 0; step < 8 && !isOnSide(nearest); step += 1) nearest = nextDouble(nearest, side);
  for (let step = 0; step < 8 && isOnSide(nextDouble(nearest, side === 1 ? -1 : 1)); step += 1)
    nearest = nextDouble(nearest, side === 1 ? -1 : 1);
  return isOnSide(nearest) && Number.isFinite(nearest) ? nearest : undefined;
}
