import type { Setting, TimeBound } from "../../../schemas/index.ts";

/** Returns a time bound in milliseconds, as configured or by default, not yet multiplied by `timeScale`. */
export function boundIn<Name extends string>(
  bounds: readonly (TimeBound & { name: Name })[],
  { bounds: givenBounds }: Pick<Setting, "bounds">,
  name: Name,
): number {
  const { seconds = 0 } = bounds.find((bound) => bound.name === name) ?? {};
  return (givenBounds?.[name] ?? seconds) * 1000;
}
