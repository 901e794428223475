import type { Outcome, Report, Rule, Run } from "../../../schemas/index.ts";
import { explainedOutcomes, groupsOf, type ResultGroup } from "./group.ts";
import { likelyMistakes } from "./mistakes.ts";
import { isSmallestRefused } from "./remarks.ts";

/** A group of results that is shown separately. */
export interface OutcomeGroup {
  run: Run;
  outcome: Outcome;
  group: ResultGroup;
  /** Other groups that probably have the same cause, if groups are merged. */
  sameCause?: readonly OutcomeGroup[];
}

/** The groups of a run to be explained, the most serious first. A refusal of the smallest valid message comes before all others, and groups that may be consequences of others come last. */
export function groupsToExplain(run: Run, rules: ReadonlyMap<string, Rule>): OutcomeGroup[] {
  return explainedOutcomes
    .filter((outcome) => outcome !== "disputed")
    .flatMap((outcome) => {
      const groups = groupsOf(run, outcome, rules)
        // Failures that the baseline lists are counted, but not explained again.
        .map((group) => ({ ...group, results: group.results.filter(({ known }) => known === undefined) }))
        .filter(({ results }) => results.length > 0);
      const hasOwnCause = ({ results }: ResultGroup): boolean => results.some(({ follows }) => follows === undefined);
      const rank = (group: ResultGroup): number => {
        if (group.results.some(isSmallestRefused)) return 0;
        return hasOwnCause(group) ? 1 : 2;
      };
      return groups
        .sort((first, second) => rank(first) - rank(second))
        .map((group) => ({
          run,
          outcome,
          group,
        }));
    });
}

/** Chooses at most `limit` groups of a report, in turn from each run, and returns them in the order of the runs, together with all groups. Unwanted groups are left out of both. */
export function chooseGroups(
  { runs }: Report,
  rules: ReadonlyMap<string, Rule>,
  limit: number,
  { isWanted = () => true, isTogether = false }: GroupOptions = {},
): { shown: OutcomeGroup[]; all: OutcomeGroup[] } {
  const perRun = runs.map((run) => {
    const groups = groupsToExplain(run, rules).filter(isWanted);
    return isTogether ? mergeGroups(groups) : groups;
  });
  const allGroups = perRun.flat().flatMap((outcomeGroup) => [outcomeGroup, ...(outcomeGroup.sameCause ?? [])]);
  const maxGroups = Math.max(0, ...perRun.map(({ length }) => length));
  const inRounds = Array.from({ length: maxGroups }, (_, round) =>
    perRun.flatMap((groups) => groups[round] ?? []),
  ).flat();
  const shownGroups = new Set(inRounds.slice(0, limit));
  return { shown: perRun.flat().filter((outcomeGroup) => shownGroups.has(outcomeGroup)), all: allGroups };
}

interface GroupOptions {
  isWanted?: (outcomeGroup: OutcomeGroup) => boolean;
  /** Whether to merge failures that probably have the same cause. */
  isTogether?: boolean;
}

/** Merges the groups of a run that probably have the same cause: the first one represents the others. */
function mergeGroups(groups: readonly OutcomeGroup[]): OutcomeGroup[] {
  const [first] = groups;
  if (first === undefined) return [];
  const remaining = new Set(groups);
  const mergedByHead = new Map<OutcomeGroup, readonly OutcomeGroup[]>();
  for (const { results } of likelyMistakes(first.run)) {
    const ids = new Set(results.map(({ id }) => id));
    const [head, ...alike] = groups.filter(({ group }) => group.results.every(({ id }) => ids.has(id)));
    if (head === undefined || alike.length === 0) continue;
    mergedByHead.set(head, alike);
    for (const outcomeGroup of alike) remaining.delete(outcomeGroup);
  }
  return [...remaining].map((outcomeGroup) => {
    const alike = mergedByHead.get(outcomeGroup);
    return alike === undefined ? outcomeGroup : { ...outcomeGroup, sameCause: alike };
  });
}
