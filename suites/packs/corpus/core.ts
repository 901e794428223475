import type { Scenario } from "../../../schemas/index.ts";

/** A candidate for the quick subset: a scenario with its rules, or a vector, which has none. */
type PlayedResult = { scenario?: Scenario };

/** Chooses a small set of quick scenarios, greedily, so that it covers each rule of all quick scenarios, and returns their results. A quick scenario does not wait for a clock or reach a limit. The choice depends only on the list. */
export function coreScenarios<T extends PlayedResult>(results: readonly T[]): T[] {
  const quickScenarios = [...new Set(results.flatMap(({ scenario }) => scenario ?? []))].filter(isQuick);
  const chosenScenarios = new Set<Scenario>();
  const uncoveredRules = new Set(quickScenarios.flatMap(({ rules }) => rules));
  while (uncoveredRules.size > 0) {
    const countUncovered = ({ rules }: Scenario): number => rules.filter((rule) => uncoveredRules.has(rule)).length;
    const best = quickScenarios.reduce((first, second) =>
      countUncovered(second) > countUncovered(first) ? second : first,
    );
    chosenScenarios.add(best);
    for (const rule of best.rules) uncoveredRules.delete(rule);
  }
  return results.filter(({ scenario }) => scenario !== undefined && chosenScenarios.has(scenario));
}

function isQuick({ slow, waits, ownTimers, reachesLimit }: Scenario): boolean {
  return (slow ?? waits ?? ownTimers ?? reachesLimit) === undefined;
}
