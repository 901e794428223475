// JSON numbers are decimals of any length (RFC 8259, 6), and schema bounds apply to these decimals (Core 4.2.1 of 2020-12). JavaScript has doubles.

/** The keyword for bounds as readers of doubles read them, in addition to the exact bounds. */
export const asDoubles = "x-touchstone-as-doubles";

/** A bound as a decimal: `digits` times ten to the power of `-places`. */
export interface Decimal {
  digits: bigint;
  places: number;
}

/** Texts with more digits before or after the point are not compared further: none of them is an intended bound. */
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
export function compareDecimals(one: Decimal, other: Decimal): number {
  const places = Math.max(one.places, other.places);
  const scaleDecimal = ({ digits, places: own }: Decimal): bigint => digits * 10n ** BigInt(places - own);
  const difference = scaleDecimal(one) - scaleDecimal(other);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** The next double, upwards with 1 and downwards with -1. */
export function nextDouble(value: number, way: 1 | -1): number {
  if (value === 0) return way * Number.MIN_VALUE;
  const bits = new BigInt64Array(1);
  const doubles = new Float64Array(bits.buffer);
  doubles[0] = value;
  bits[0] = (bits[0] as bigint) + BigInt(value > 0 ? way : -way);
  return doubles[0];
}

/** On which side of the bound the double must be, so that no double changes sides. */
const sides: Readonly<Record<string, 1 | -1>> = {
  maximum: -1,
  exclusiveMinimum: -1,
  minimum: 1,
  exclusiveMaximum: 1,
};

export function standSide(keyword: string): 1 | -1 {
  return sides[keyword] ?? -1;
}

/**
 * The double to use for a bound that no double equals, so that every number written as a double gets the same verdict: the last double
 * before `maximum`, the first after `minimum`. Undefined if the double gives the same verdicts as the text.
 */
export function boundInDoubles(keyword: string, value: number, text: string): number | undefined {
  const side = sides[keyword];
  const exactDecimal = decimalIn(text);
  const read = decimalIn(String(value));
  if (
    side === undefined ||
    exactDecimal === undefined ||
    read === undefined ||
    compareDecimals(read, exactDecimal) === 0
  )
    return undefined;
  const isRight = (each: number): boolean => {
    const decimal = decimalIn(String(each));
    return decimal !== undefined && compareDecimals(decimal, exactDecimal) * side >= 0;
  };
  let nearest = value;
  // The shortest text of a double may be some doubles away from it.
  for (let step = 0; step < 8 && !isRight(nearest); step += 1) nearest = nextDouble(nearest, side);
  for (let step = 0; step < 8 && isRight(nextDouble(nearest, side === 1 ? -1 : 1)); step += 1)
    nearest = nextDouble(nearest, side === 1 ? -1 : 1);
  return isRight(nearest) && Number.isFinite(nearest) ? nearest : undefined;
}
