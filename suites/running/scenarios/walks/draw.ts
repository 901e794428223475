import type fc from "fast-check";

/** Something once in so many times, and otherwise nothing, to which it shrinks. */
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
