import type { Scenario } from "../../../schemas/index.ts";

/** A candidate for the quick subset: a scenario with its rules, or a vector, which has none. */
type PlayedResult = { scenario?: Scenario };

/** Chooses a small set of quick scenarios, greedily, so that it covers each rule of all quick scenarios, and returns their results. A quick scenario waits for no clock and reaches no limit. The choice depends only on the list. */
export function coreScenarios<T extends PlayedResult>(results: readonly T[]): T[] {
  const quick = [...new Set(results.flatMap(({ scenario }) => scenario ?? []))].filter(isQuick);
  const chosen = new Set<Scenario>();
  const uncoveredRules = new Set(quick.flatMap(({ rules }) => rules));
  while (uncoveredRules.size > 0) {
    const gain = ({ rules }: Scenario): number => rules.filter((rule) => uncoveredRules.has(rule)).length;
    const best = quick.reduce((first, second) => (gain(second) > gain(first) ? second : first));
    chosen.add(best);
    for (const rule of best.rules) uncoveredRules.delete(rule);
  }
  return results.filter(({ scenario }) => scenario !== undefined && chosen.has(scenario));
}

function isQuick({ slow, waits, ownTimers, reachesLimit }: Scenario): boolean {
  return (slow ?? waits ?? ownTimers ?? reachesLimit) === undefined;
}
