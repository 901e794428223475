import type { Result, ResultKind, Run } from "../../../schemas/index.ts";

const nouns: Record<ResultKind, string> = {
  vector: "vector",
  scenario: "scenario",
  race: "scenario",
  agent: "scenario",
  walk: "walk",
};

type ResultKinds = readonly ResultKind[];

/** The nouns for results of these kinds, each once; `vector` if there are none. */
export function nounsOf(kinds: ResultKinds): string[] {
  return kinds.length === 0 ? ["vector"] : [...new Set(kinds.map((kind) => nouns[kind]))];
}

/** `1 scenario`, `3 vectors`, `4 vectors and scenarios`: a number of results with their kinds, after a word such as `more `. */
export function countInWords(count: number, kinds: ResultKinds, prefix = ""): string {
  const kindNouns = nounsOf(kinds).map((noun) => (count === 1 ? noun : `${noun}s`));
  return `${count} ${prefix}${kindNouns.join(count === 1 ? " or " : " and ")}`;
}

/** The number of vectors, scenarios and walks that these results belong to: a scenario has one result for each of its rules, and counts once each time it was played. */
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

/** The noun of the counted results, if it differs from the vectors or scenarios of a summary. */
export function unitOf({ results }: Pick<Run, "results">): "results" | undefined {
  return numberOf(results) === results.length ? undefined : "results";
}

/** The noun with an explanation, if the vectors and scenarios of a summary are fewer. */
export function describeUnit(run: Pick<Run, "results">): string | undefined {
  const unit = unitOf(run);
  return unit === undefined ? undefined : `${unit} (a scenario has one for each of its rules)`;
}

/** `4 more vectors and scenarios`: the number of further ones; counts results if the vectors and scenarios are fewer. */
export function moreOf(results: readonly Pick<Result, "id" | "kind">[], count: number): string {
  if (numberOf(results) === results.length) return countInWords(count, kindsOf(results), "more ");
  return `${count} more ${count === 1 ? "result" : "results"}`;
}

/** The number of these results, with their kinds: `90 vectors and scenarios`. */
export function numberOfResults(results: readonly Pick<Result, "id" | "kind">[]): string {
  return countInWords(numberOf(results), kindsOf(results));
}

/** The number of results that were run, with any outcome: `90 vectors and scenarios`. */
export function describeRan({ results }: Pick<Run, "results">): string {
  return numberOfResults(results.filter(({ outcome }) => outcome !== "skipped"));
}

/** `no vector and no scenario`: none that was run. */
export function describeNone(kinds: ResultKinds): string {
  return nounsOf(kinds)
    .map((noun) => `no ${noun}`)
    .join(" and ");
}

/** `a`, `a and b`, `a, b and 4 more`: joins names, up to a limit. */
export function joinNames(names: readonly string[], limit: number): string {
  const hiddenCount = names.length - limit;
  return (hiddenCount > 0 ? [...names.slice(0, limit), `${hiddenCount} more`] : names)
    .join(", ")
    .replace(/, ([^,]*)$/, " and $1");
}

export function kindsOf(results: readonly { kind: ResultKind }[]): ResultKind[] {
  return [...new Set(results.map(({ kind }) => kind))];
}
