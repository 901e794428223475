import { distance, closest as nearest } from "fastest-levenshtein";

/** `did you mean "x"? ` when a name is near enough to be a slip, otherwise nothing. */
export function closest(name: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  const best = nearest(name, [...names]);
  return distance(name, best) <= Math.max(2, name.length / 3) ? `did you mean "${best}"? ` : "";
}
