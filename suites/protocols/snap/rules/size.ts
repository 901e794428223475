import type { Json } from "../../../../schemas/index.ts";

/** Levels of arrays and objects, the value itself being the first; counted no further than the limit. */
export function depthOf(value: Json, limit: number): number {
  let depth = 0;
  let level: Json[] = [value];
  while (depth < limit) {
    const containers = level.filter((each) => typeof each === "object" && each !== null);
    if (containers.length === 0) return depth;
    depth += 1;
    level = containers.flatMap((each) => Object.values(each as object) as Json[]);
  }
  return depth;
}

/** Nesting beyond this is not measured: no text of such a value is ever written. */
const maxDepth = 1_000;

/** Bytes of the value as JSON text without spaces; undefined if it is nested too deeply. */
export function bytesOf(value: Json): number | undefined {
  return isShallow(value) ? Buffer.byteLength(JSON.stringify(value)) : undefined;
}

/** Whether a value can be gone through by functions that call themselves. */
export function isShallow(value: Json): boolean {
  return depthOf(value, maxDepth) < maxDepth;
}
