import { isDeepStrictEqual } from "node:util";

/** The value that all have; undefined if they differ. */
export function sharedValue<T>(all: readonly T[]): T | undefined {
  const [first, ...others] = all;
  return others.every((each) => isDeepStrictEqual(each, first)) ? first : undefined;
}
