import type { Setting, TimeBound } from "../../../schemas/index.ts";

/** Milliseconds of one of some bounds, as the configuration sets it or by default; before `timeScale` multiplies them. */
export function boundIn<Name extends string>(
  bounds: readonly (TimeBound & { name: Name })[],
  { bounds: given }: Pick<Setting, "bounds">,
  name: Name,
): number {
  const { seconds = 0 } = bounds.find((each) => each.name === name) ?? {};
  return (given?.[name] ?? seconds) * 1000;
}
