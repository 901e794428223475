import type { Json } from "./json.ts";

/**
 * The value of a JSON text written without white space, as programs write it. Such a text repeats no name, since it would be shorter
 * otherwise, and has no other fault. Undefined for any other text, and for a text that may be nested deeper than `depth` or have half a
 * surrogate pair.
 */
export function compact(text: string, depth: number): Json | undefined {
  if (text.length > 2 * depth || text.includes("\\ud")) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}
