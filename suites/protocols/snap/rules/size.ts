import type { Json } from "../../../../schemas/index.ts";

/** Counts the nested levels of arrays and objects, including the value itself, up to the limit. */
export function depthOf(value: Json, limit: number): number {
  let depth = 0;
  let level: Json[] = [value];
  while (depth < limit) {
    const containers = level.filter((item) => typeof item === "object" && item !== null);
    if (containers.length === 0) return depth;
    depth += 1;
    level = containers.flatMap((container) => Object.values(container as object) as Json[]);
  }
  return depth;
}

/** The maximum depth of values that are serialized. */
const maxDepth = 1_000;

/** Counts the bytes of a value as compact JSON. Undefined if the value is nested too deeply. */
export function bytesOf(value: Json): number | undefined {
  return isShallow(value) ? Buffer.byteLength(JSON.stringify(value)) : undefined;
}

/** Whether a value is shallow enough for recursive functions. */
export function isShallow(value: Json): boolean {
  return depthOf(value, maxDepth) < maxDepth;
}
