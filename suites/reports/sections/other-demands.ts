import type { OutcomeGroup } from "../groups/explained-groups.ts";
import type { ResultGroup } from "../groups/group.ts";
import { countNoun } from "../wording/phrases.ts";

/** Counts the hidden groups by their subject, such as `2 more rules and 3 more assertions`. */
export function describeOthers(allGroups: readonly OutcomeGroup[], shownGroups: readonly OutcomeGroup[]): string {
  const shownSet = new Set(shownGroups);
  const otherGroups = allGroups.filter((outcomeGroup) => !shownSet.has(outcomeGroup)).map(({ group }) => group);
  const countGroups = (isCounted: (group: ResultGroup) => boolean): number => otherGroups.filter(isCounted).length;
  const isRule = ({ rule, results: [first] }: ResultGroup): boolean => rule !== undefined || first?.rule !== undefined;
  const rules = countGroups(isRule);
  const assertions = countGroups((group) => !isRule(group) && group.site !== undefined);
  const causes = otherGroups.length - rules - assertions;
  return [
    ...(rules > 0 ? [countNoun(rules, "more rule")] : []),
    ...(assertions > 0 ? [countNoun(assertions, "more assertion")] : []),
    ...(causes > 0 ? [countNoun(causes, "more cause")] : []),
  ]
    .join(", ")
    .replace(/, ([^,]*)$/, " and $1");
}
