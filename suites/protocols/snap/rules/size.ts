import type { Json } from "../../../../schemas/index.ts";

/** The number of levels of arrays and objects, including the value itself. It does not count further than the limit. */
export function depthOf(value: Json, limit: number): number {
  let depth = 0;
  let level: Json[] = [value];
  while (depth < limit) {
    const containers = level.filter((each) => typeof each === "object" && each !== null);
    if (containers.length === 0) return depth;
    depth += 1;
    level = containers.flatMap((container) => Object.values(container as object) as Json[]);
  }
  return depth;
}

/** The depth up to which values are measured. Deeper values are never written. */
const maxDepth = 1_000;

/** The bytes of the value as JSON text without spaces; undefined if it is nested too deeply. */
export function bytesOf(value: Json): number | undefined {
  return isShallow(value) ? Buffer.byteLength(JSON.stringify(value)) : undefined;
}

/** Whether recursive functions can read a value. */
export function isShallow(value: Json): boolean {
  return depthOf(value, maxDepth) < maxDepth;
}
