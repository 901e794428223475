import type { Clauses, Literal } from "./clauses.ts";

/** Alternatives, at least one of them true, and the one that held at the last check. It usually still holds. */
export interface AlternativesNeed {
  readonly alternatives: Literal[];
  held: Literal | undefined;
}

export function needOf(alternatives: Literal[]): AlternativesNeed {
  return { alternatives, held: undefined };
}

export function isFulfilled(need: AlternativesNeed, clauses: Clauses): boolean {
  if (need.held !== undefined && clauses.value(need.held) > 0) return true;
  need.held = need.alternatives.find((alternative) => clauses.value(alternative) > 0);
  return need.held !== undefined;
}
