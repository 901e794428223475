import { distance } from "fastest-levenshtein";

/** `did you mean "x"? ` when a name is near enough to be a slip, otherwise nothing. */
export function closest(name: string, names: readonly string[]): string {
  const plain = names.map((each) => distance(name, each));
  const least = Math.min(...plain);
  // A swap saves one step, so that what is farther cannot be the nearest.
  const near = names.filter((_, index) => (plain[index] as number) <= least + 1);
  const steps = near.map((each) => stepsTo(name, each));
  const fewest = Math.min(...steps);
  return fewest <= Math.max(2, name.length / 3) ? `did you mean "${near[steps.indexOf(fewest)]}"? ` : "";
}

/** The letters to add, leave out or change to get from one name to another, where two neighbours in each other's place are one step. */
function stepsTo(name: string, other: string): number {
  const swapped = Array.from(
    { length: Math.max(0, name.length - 1) },
    (_, at) => `${name.slice(0, at)}${name[at + 1]}${name[at]}${name.slice(at + 2)}`,
  );
  return Math.min(distance(name, other), ...swapped.map((each) => 1 + distance(each, other)));
}

/** The same of a path, by what lies beside it, as it has to be given: with the folder that was given. */
export function closestBeside(path: string, names: readonly string[]): string {
  const [, folder = "", name = ""] = /^(.*[/\\])?([^/\\]+)[/\\]*$/.exec(path) ?? [];
  return closest(name, names).replace('"', () => `"${folder}`);
}
