import type { Capability, Run, Vector } from "../../../schemas/index.ts";

/** Returns the assumed claims that the vectors of a run needed; undefined if nothing was assumed. */
export function assumedCapabilities(
  { target, results }: Pick<Run, "target" | "results">,
  vectors: readonly Pick<Vector, "id" | "needs">[],
): Capability[] | undefined {
  const { assumed } = target;
  if (assumed === undefined) return undefined;
  const ran = new Set(results.filter(({ outcome }) => outcome !== "skipped").map(({ id }) => id));
  const needed = new Set(vectors.flatMap(({ id, needs }) => (ran.has(id) ? needs : [])));
  return (assumed as Capability[]).filter((capability) => needed.has(capability));
}

/** Returns a line that names the assumed claims; empty if none mattered. */
export function describeAssumptions(assumed: readonly Capability[]): string {
  const names = [...new Set(assumed)];
  return names.length === 0
    ? ""
    : `The target names no claims, so ${names.length === 1 ? "this was" : "these were"} assumed: ${names.join(", ")}; --claims says otherwise.\n`;
}
