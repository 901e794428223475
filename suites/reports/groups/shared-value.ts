import { isDeepStrictEqual } from "node:util";

/** The value that all have; undefined if they differ. */
export function sharedValue<T>(all: readonly T[]): T | undefined {
  const [first, ...otherItems] = all;
  return otherItems.every((each) => isDeepStrictEqual(each, first)) ? first : undefined;
}
