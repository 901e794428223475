import type { Json } from "./json.ts";

/**
 * Reads a JSON text without white space, as programs write it. If the value serialises to exactly the same text, the text cannot have repeated
 * names or other faults. Undefined for any other text, and for a text that may be nested deeper than `depth` or contain half a surrogate pair.
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
