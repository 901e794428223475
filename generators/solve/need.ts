import type { Clauses, Literal } from "./clauses.ts";

/** A list of alternatives; at least one must be true. The alternative that was true at the last check usually still is, so it is stored. */
export interface AlternativesNeed {
  readonly alternatives: Literal[];
  lastTrue: Literal | undefined;
}

export function needOf(alternatives: Literal[]): AlternativesNeed {
  return { alternatives, lastTrue: undefined };
}

export function isFulfilled(need: AlternativesNeed, clauses: Clauses): boolean {
  if (need.lastTrue !== undefined && clauses.value(need.lastTrue) > 0) return true;
  need.lastTrue = need.alternatives.find((alternative) => clauses.value(alternative) > 0);
  return need.lastTrue !== undefined;
}
