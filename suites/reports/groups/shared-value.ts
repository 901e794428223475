import { isDeepStrictEqual } from "node:util";

/** The value that all items have in common; undefined if they differ. */
export function sharedValue<T>(values: readonly T[]): T | undefined {
  const [first, ...otherValues] = values;
  return otherValues.every((value) => isDeepStrictEqual(value, first)) ? first : undefined;
}
