/** A number as written in JSON: `digits` times ten to the power of `-places`. */
interface ScaledDecimal {
  digits: bigint;
  places: number;
}

/** Returns the decimal that JSON writes for a finite number: 0.1 is a tenth, not the nearest binary fraction. */
export function decimalOf(value: number): ScaledDecimal {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) };
}

/** Returns the number of digits after the point. */
export function placesOf(value: number): number {
  return Math.max(0, decimalOf(value).places);
}

/** Returns a number times ten to the power of `places`, which must be at least its own number of places. */
export function scaledTo(value: number, places: number): bigint {
  const { digits, places: ownPlaces } = decimalOf(value);
  return digits * 10n ** BigInt(places - ownPlaces);
}

/** Computes `value + times * step` in decimal arithmetic: 0.1 plus two times 0.1 is 0.3. Infinite if an argument is infinite. */
export function addSteps(value: number, times: number, step: number): number {
  const floatSum = value + times * step;
  if (Number.isInteger(floatSum) || !Number.isFinite(floatSum)) return floatSum;
  const places = Math.max(placesOf(value), placesOf(times) + placesOf(step));
  const sum = scaledTo(value, places) + scaledTo(times, placesOf(times)) * scaledTo(step, places - placesOf(times));
  return Number(`${sum}e-${places}`);
}

/** Returns the smallest positive multiple of both numbers; neither may be 0. */
export function leastCommonMultiple(a: bigint, b: bigint): bigint {
  let [divisor, remainder] = [a, b];
  while (remainder !== 0n) [divisor, remainder] = [remainder, divisor % remainder];
  return (a / divisor) * b;
}
