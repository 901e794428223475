import type { Outcome, Report, Rule, Run } from "../../../schemas/index.ts";
import { explainedOutcomes, groupsOf, type ResultGroup } from "./group.ts";
import { likelyMistakes } from "./mistakes.ts";
import { isSmallestRefused } from "./remarks.ts";

/** A group of results that is shown separately. */
export interface OutcomeGroup {
  run: Run;
  outcome: Outcome;
  group: ResultGroup;
  /** Further groups that probably have the same cause, if they are shown together. */
  alike?: readonly OutcomeGroup[];
}

/** The groups of a run to be explained, the most serious first. A refusal of the smallest valid message comes first of all, and a group that may be the consequence of another comes after that group. */
export function groupsToExplain(run: Run, rules: ReadonlyMap<string, Rule>): OutcomeGroup[] {
  return explainedOutcomes
    .filter((outcome) => outcome !== "disputed")
    .flatMap((outcome) => {
      const groups = groupsOf(run, outcome, rules)
        // Known failures of the baseline are counted, but not explained again.
        .map((group) => ({ ...group, results: group.results.filter(({ known }) => known === undefined) }))
        .filter(({ results }) => results.length > 0);
      const isRoot = ({ results }: ResultGroup): boolean => results.some(({ follows }) => follows === undefined);
      const rank = (group: ResultGroup): number => (group.results.some(isSmallestRefused) ? 0 : isRoot(group) ? 1 : 2);
      return groups
        .sort((one, other) => rank(one) - rank(other))
        .map((group) => ({
          run,
          outcome,
          group,
        }));
    });
}

/** Chooses up to this many groups of a report, with a share for each run, in the order of the runs, and counts all groups. Groups that are not wanted are left out. */
export function chooseGroups(
  { runs }: Report,
  rules: ReadonlyMap<string, Rule>,
  most: number,
  { isWanted = () => true, isTogether = false }: GroupOptions = {},
): { shown: OutcomeGroup[]; all: OutcomeGroup[] } {
  const perRun = runs.map((run) => {
    const groups = groupsToExplain(run, rules).filter(isWanted);
    return isTogether ? mergeGroups(groups) : groups;
  });
  const all = perRun.flat().flatMap((outcomeGroup) => [outcomeGroup, ...(outcomeGroup.alike ?? [])]);
  const longest = Math.max(0, ...perRun.map(({ length }) => length));
  const byTurns = Array.from({ length: longest }, (_, turn) => perRun.flatMap((groups) => groups[turn] ?? [])).flat();
  const shown = new Set(byTurns.slice(0, most));
  return { shown: perRun.flat().filter((outcomeGroup) => shown.has(outcomeGroup)), all };
}

interface GroupOptions {
  isWanted?: (outcomeGroup: OutcomeGroup) => boolean;
  /** Whether failures with one probable cause are shown as one. */
  isTogether?: boolean;
}

/** Merges the groups of a run that have one cause: the first represents the others. */
function mergeGroups(groups: readonly OutcomeGroup[]): OutcomeGroup[] {
  const [first] = groups;
  if (first === undefined) return [];
  const left = new Set(groups);
  const heads = new Map<OutcomeGroup, readonly OutcomeGroup[]>();
  for (const { results } of likelyMistakes(first.run)) {
    const ids = new Set(results.map(({ id }) => id));
    const [head, ...alike] = groups.filter(({ group }) => group.results.every(({ id }) => ids.has(id)));
    if (head === undefined || alike.length === 0) continue;
    heads.set(head, alike);
    for (const outcomeGroup of alike) left.delete(outcomeGroup);
  }
  return [...left].map((outcomeGroup) => {
    const alike = heads.get(outcomeGroup);
    return alike === undefined ? outcomeGroup : { ...outcomeGroup, alike };
  });
}
