import { isDeepStrictEqual } from "node:util";

/** The value that all of these share; undefined if they differ. */
export function sharedValue<T>(values: readonly T[]): T | undefined {
  const [first, ...otherItems] = values;
  return otherItems.every((each) => isDeepStrictEqual(each, first)) ? first : undefined;
}
