import type fc from "fast-check";

/** Draws a value once in `oneIn` draws, and undefined otherwise; shrinks to undefined. */
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
