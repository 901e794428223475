import type { Setting, TimeBound } from "../../../schemas/index.ts";

/** A time bound in milliseconds, as configured or by default; before `timeScale` multiplies it. */
export function boundIn<Name extends string>(
  bounds: readonly (TimeBound & { name: Name })[],
  { bounds: givenBounds }: Pick<Setting, "bounds">,
  name: Name,
): number {
  const { seconds = 0 } = bounds.find((bound) => bound.name === name) ?? {};
  return (givenBounds?.[name] ?? seconds) * 1000;
}
