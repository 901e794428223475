import type { Clauses, Literal } from "./clauses.ts";

/** Alternatives, and the one that held at the last check, which usually still holds. */
export interface Need {
  readonly alternatives: Literal[];
  held: Literal | undefined;
}

export function needOf(alternatives: Literal[]): Need {
  return { alternatives, held: undefined };
}

export function isFulfilled(need: Need, clauses: Clauses): boolean {
  if (need.held !== undefined && clauses.value(need.held) > 0) return true;
  need.held = need.alternatives.find((each) => clauses.value(each) > 0);
  return need.held !== undefined;
}
