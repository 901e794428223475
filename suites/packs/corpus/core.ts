import type { Scenario } from "../../../schemas/index.ts";

/** A candidate for the quick subset: a scenario with its rules, or a vector, which has none. */
type PlayedCore = { scenario?: Scenario };

/** The results of a few quick scenarios: of the quick scenarios that wait for no clock and reach no limit, the fewest that cover each of their rules once. The choice depends only on the list. */
export function coreScenarios<T extends PlayedCore>(all: readonly T[]): T[] {
  const quick = [...new Set(all.flatMap(({ scenario }) => scenario ?? []))].filter(isQuick);
  const chosen = new Set<Scenario>();
  const open = new Set(quick.flatMap(({ rules }) => rules));
  while (open.size > 0) {
    const gain = ({ rules }: Scenario): number => rules.filter((rule) => open.has(rule)).length;
    const best = quick.reduce((one, other) => (gain(other) > gain(one) ? other : one));
    chosen.add(best);
    for (const rule of best.rules) open.delete(rule);
  }
  return all.filter(({ scenario }) => scenario !== undefined && chosen.has(scenario));
}

function isQuick({ slow, waits, ownTimers, reachesLimit }: Scenario): boolean {
  return (slow ?? waits ?? ownTimers ?? reachesLimit) === undefined;
}
