import type { Result } from "../../schemas/index.ts";

/** All scenarios of a protocol, with one seed. */
export interface BenchPlay {
  protocol: string;
  seed: number;
}

/** The results of a play. */
export interface PlayResults extends BenchPlay {
  seconds: number;
  results: Pick<Result, "id" | "outcome" | "why">[];
}

/** A result that differs from the most frequent outcome of its id. */
export interface Deviation {
  id: string;
  seed: number;
  outcome: string;
  usual: string;
  why?: string;
}

/** The results that differ from the most frequent outcome of their id, or are missing. */
export function deviationsIn(plays: readonly PlayResults[]): Deviation[] {
  const counts = new Map<string, Map<string, number>>();
  for (const { results } of plays)
    for (const { id, outcome } of results) {
      const outcomeCounts = counts.get(id) ?? new Map<string, number>();
      counts.set(id, outcomeCounts.set(outcome, (outcomeCounts.get(outcome) ?? 0) + 1));
    }
  const usualOutcomes = new Map(
    [...counts].map(([id, outcomeCounts]) => [
      id,
      ([...outcomeCounts].sort((a, b) => b[1] - a[1])[0] as [string, number])[0],
    ]),
  );
  return plays.flatMap(({ protocol, seed, results }) => {
    const resultsById = new Map(results.map((result) => [result.id, result]));
    return [...usualOutcomes]
      .filter(([id]) => id.startsWith(`${protocol}/`))
      .flatMap(([id, expected]) => {
        const { outcome = "missing", why } = resultsById.get(id) ?? {};
        if (outcome === expected) return [];
        return [{ id, seed, outcome, usual: expected, ...(why === undefined ? {} : { why }) }];
      });
  });
}
