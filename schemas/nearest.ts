import { distance, closest as nearest } from "fastest-levenshtein";

/** `did you mean "x"? ` when a name is near enough to be a slip, otherwise nothing. */
export function closest(name: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  const best = nearest(name, [...names]);
  return distance(name, best) <= Math.max(2, name.length / 3) ? `did you mean "${best}"? ` : "";
}

/** The same of a path, by what lies beside it, as it has to be given: with the folder that was given. */
export function closestBeside(path: string, names: readonly string[]): string {
  const [, folder = "", name = ""] = /^(.*[/\\])?([^/\\]+)[/\\]*$/.exec(path) ?? [];
  return closest(name, names).replace('"', () => `"${folder}`);
}
