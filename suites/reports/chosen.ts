import type { Outcome, Report, Rule, Run } from "../../schemas/index.ts";
import { explained, type Group, groupsOf } from "./group.ts";
import { isSmallestRefused } from "./remarks.ts";

/** A group of results as it is shown on its own. */
export interface OutcomeGroup {
  run: Run;
  outcome: Outcome;
  group: Group;
}

/** All groups of a run that are to be explained, the gravest first, and of these what refuses the smallest valid message; what may only follow from another comes after what it follows from. */
export function groupsToExplain(run: Run, rules: ReadonlyMap<string, Rule>): OutcomeGroup[] {
  return explained
    .filter((outcome) => outcome !== "disputed")
    .flatMap((outcome) => {
      const groups = groupsOf(run, outcome, rules)
        // What the baseline knows is counted, and not explained anew.
        .map((group) => ({ ...group, results: group.results.filter(({ known }) => known === undefined) }))
        .filter(({ results }) => results.length > 0);
      const isRoot = ({ results }: Group): boolean => results.some(({ follows }) => follows === undefined);
      const rank = (group: Group): number => (group.results.some(isSmallestRefused) ? 0 : isRoot(group) ? 1 : 2);
      return groups
        .sort((one, other) => rank(one) - rank(other))
        .map((group) => ({
          run,
          outcome,
          group,
        }));
    });
}

/** So many groups of a report, each run having its share, in the order of the runs; and how many there are in all. Those that are not wanted are left out. */
export function chosenGroups(
  { runs }: Report,
  rules: ReadonlyMap<string, Rule>,
  most: number,
  isWanted: (each: OutcomeGroup) => boolean = () => true,
): { shown: OutcomeGroup[]; all: OutcomeGroup[] } {
  const perRun = runs.map((run) => groupsToExplain(run, rules).filter(isWanted));
  const all = perRun.flat();
  const longest = Math.max(0, ...perRun.map(({ length }) => length));
  const byTurns = Array.from({ length: longest }, (_, turn) => perRun.flatMap((groups) => groups[turn] ?? [])).flat();
  const shown = new Set(byTurns.slice(0, most));
  return { shown: all.filter((each) => shown.has(each)), all };
}
