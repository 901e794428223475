import type { Json } from "./json.ts";

/**
 * The value of a JSON text that stands as programs write it, without a blank: it repeats no name, since it would be shorter otherwise, and nothing else is
 * wrong with it. Undefined for any other text, and for one that may be deeper than so many levels or have half a surrogate pair.
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
