import { isDeepStrictEqual } from "node:util";

/** Returns the value if all values are equal; undefined if they differ. */
export function sharedValue<T>(values: readonly T[]): T | undefined {
  const [firstValue, ...otherValues] = values;
  return otherValues.every((value) => isDeepStrictEqual(value, firstValue)) ? firstValue : undefined;
}
