import type { Result, ResultKind, Run } from "../../../schemas/index.ts";

const nouns: Record<ResultKind, string> = {
  vector: "vector",
  scenario: "scenario",
  race: "scenario",
  agent: "scenario",
  walk: "walk",
};

type ResultKinds = readonly ResultKind[];

/** Returns the nouns for results of these kinds, each once; `vector` if there are no kinds. */
export function nounsOf(kinds: ResultKinds): string[] {
  return kinds.length === 0 ? ["vector"] : [...new Set(kinds.map((kind) => nouns[kind]))];
}

/** Formats a number of results with their kinds, such as `1 scenario` or `4 vectors and scenarios`. The prefix, such as `more `, follows the number. */
export function countInWords(count: number, kinds: ResultKinds, prefix = ""): string {
  const kindNouns = nounsOf(kinds).map((noun) => (count === 1 ? noun : `${noun}s`));
  return `${count} ${prefix}${kindNouns.join(count === 1 ? " or " : " and ")}`;
}

/** Counts the vectors, scenarios and walks of these results. A scenario has one result for each of its rules, and counts once each time it was played. */
export function numberOf(results: readonly Pick<Result, "id" | "kind">[]): number {
  const playsByScenario = new Map<string, Map<string, number>>();
  let otherCount = 0;
  for (const { id, kind } of results)
    if (nouns[kind] === "scenario") {
      const name = id.slice(0, id.lastIndexOf("/"));
      const rules = playsByScenario.get(name) ?? new Map<string, number>();
      playsByScenario.set(name, rules.set(id, (rules.get(id) ?? 0) + 1));
    } else otherCount += 1;
  return [...playsByScenario.values()].reduce((sum, rules) => sum + Math.max(...rules.values()), otherCount);
}

/** Returns `results` if there are more results than vectors and scenarios. */
export function unitOf({ results }: Pick<Run, "results">): "results" | undefined {
  return numberOf(results) === results.length ? undefined : "results";
}

/** Returns the unit with an explanation if there are more results than vectors and scenarios. */
export function describeUnit(run: Pick<Run, "results">): string | undefined {
  const unit = unitOf(run);
  return unit === undefined ? undefined : `${unit} (a scenario has one for each of its rules)`;
}

/** Formats a number of further results, such as `4 more vectors and scenarios`. Says `results` if there are more results than vectors and scenarios. */
export function moreOf(results: readonly Pick<Result, "id" | "kind">[], count: number): string {
  if (numberOf(results) === results.length) return countInWords(count, kindsOf(results), "more ");
  return `${count} more ${count === 1 ? "result" : "results"}`;
}

/** Formats the number of these results with their kinds, such as `90 vectors and scenarios`. */
export function numberOfResults(results: readonly Pick<Result, "id" | "kind">[]): string {
  return countInWords(numberOf(results), kindsOf(results));
}

/** Formats the number of results that were not skipped, such as `90 vectors and scenarios`. */
export function describeRan({ results }: Pick<Run, "results">): string {
  return numberOfResults(results.filter(({ outcome }) => outcome !== "skipped"));
}

/** Negates the nouns of these kinds for the subject of a sentence, such as `no vector and no scenario`. */
export function describeNone(kinds: ResultKinds): string {
  return nounsOf(kinds)
    .map((noun) => `no ${noun}`)
    .join(" and ");
}

/** Joins names up to a limit, such as `a`, `a and b` or `a, b and 4 more`. */
export function joinNames(names: readonly string[], limit: number): string {
  const hiddenCount = names.length - limit;
  return (hiddenCount > 0 ? [...names.slice(0, limit), `${hiddenCount} more`] : names)
    .join(", ")
    .replace(/, ([^,]*)$/, " and $1");
}

export function kindsOf(results: readonly { kind: ResultKind }[]): ResultKind[] {
  return [...new Set(results.map(({ kind }) => kind))];
}
