import type fc from "fast-check";

/** Draws a value in one of `oneIn` draws on average, and undefined otherwise. Shrinks to undefined. */
export function rareValue<Value>(
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
