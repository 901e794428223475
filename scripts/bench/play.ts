import type { Result } from "../../schemas/index.ts";

/** All scenarios of a protocol, with one seed. */
export interface BenchPlay {
  protocol: string;
  seed: number;
}

/** The results of a play. */
export interface BenchPlayed extends BenchPlay {
  seconds: number;
  results: Pick<Result, "id" | "outcome" | "why">[];
}

/** A result that differs from the usual one of the same rule and scenario. */
export interface Odd {
  id: string;
  seed: number;
  outcome: string;
  usual: string;
  why?: string;
}

/** The results that differ from the most frequent outcome of their id, or are missing. */
export function oddOnes(played: readonly BenchPlayed[]): Odd[] {
  const counts = new Map<string, Map<string, number>>();
  for (const { results } of played)
    for (const { id, outcome } of results) {
      const own = counts.get(id) ?? new Map<string, number>();
      counts.set(id, own.set(outcome, (own.get(outcome) ?? 0) + 1));
    }
  const usual = new Map(
    [...counts].map(([id, own]) => [id, ([...own].sort((a, b) => b[1] - a[1])[0] as [string, number])[0]]),
  );
  return played.flatMap(({ protocol, seed, results }) => {
    const there = new Map(results.map((result) => [result.id, result]));
    return [...usual]
      .filter(([id]) => id.startsWith(`${protocol}/`))
      .flatMap(([id, expected]) => {
        const { outcome = "missing", why } = there.get(id) ?? {};
        if (outcome === expected) return [];
        return [{ id, seed, outcome, usual: expected, ...(why === undefined ? {} : { why }) }];
      });
  });
}
