import type fc from "fast-check";

/** A value once in so many draws, otherwise undefined; it shrinks to undefined. */
export function seldom<Value>(
  fast: typeof fc,
  arbitrary: fc.Arbitrary<Value>,
  oneIn: number,
): fc.Arbitrary<Value | undefined> {
  return fast.oneof(
    { withCrossShrink: true },
    { weight: oneIn - 1, arbitrary: fast.constant(undefined) },
    { weight: 1, arbitrary },
  );
}
