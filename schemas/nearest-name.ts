import { distance } from "fastest-levenshtein";

/** Returns `did you mean "x"? ` if a name is near enough to be a typo, and otherwise an empty string. */
export function nearestName(name: string, names: readonly string[]): string {
  const distances = names.map((candidate) => distance(name, candidate));
  const smallest = leastOf(distances);
  // A swap saves one step, so a name farther away cannot be the nearest.
  const nearNames = names.filter((_, index) => (distances[index] as number) <= smallest + 1);
  const swappedSpellings = swapLetters(name);
  const steps = nearNames.map((candidate) => stepsBetween(name, candidate, swappedSpellings));
  const fewest = leastOf(steps);
  return fewest <= Math.max(2, name.length / 3) ? `did you mean "${nearNames[steps.indexOf(fewest)]}"? ` : "";
}

/** The number of letters to add, remove or replace; swapping two neighbours is one step. */
export function stepsBetween(name: string, other: string, spellings: readonly string[] = swapLetters(name)): number {
  return Math.min(distance(name, other), ...spellings.map((spelling) => 1 + distance(spelling, other)));
}

/** The minimum, computed by a loop because a call cannot have this many arguments. */
function leastOf(numbers: readonly number[]): number {
  return numbers.reduce((least, number) => Math.min(least, number), Number.POSITIVE_INFINITY);
}

/** All spellings of a name with two neighbouring letters swapped. */
function swapLetters(name: string): string[] {
  return Array.from(
    { length: Math.max(0, name.length - 1) },
    (_, index) => `${name.slice(0, index)}${name[index + 1]}${name[index]}${name.slice(index + 2)}`,
  );
}

/** Like `nearestName`, for a path and the names in its folder. The suggestion includes the folder as it was given. */
export function closestBeside(path: string, names: readonly string[]): string {
  const [, folder = "", name = ""] = /^(.*[/\\])?([^/\\]+)[/\\]*$/.exec(path) ?? [];
  return nearestName(name, names).replace('"', () => `"${folder}`);
}
