import type { Report, Rule, Run } from "../../../schemas/index.ts";
import { joinNames } from "../wording/nouns.ts";
import { isDrawn } from "../wording/phrases.ts";

/** The maximum number of rules named in a brief summary. */
const maxNamed = 6;

/** For runs with random vectors: how many of the rules with vectors were tested by a vector that breaks them, and which were not. The list is abbreviated if `isBrief`. Empty for other runs. */
export function reachLines(report: Report, rules: readonly Rule[], isBrief = false): string[] {
  if (!isDrawn(report)) return [];
  return report.runs.flatMap((run) => {
    // Walks draw steps, not messages.
    if (run.results.length > 0 && run.results.every(({ kind }) => kind !== "vector")) return [];
    const shownRules = rulesOf(run, rules, report.runs.length === 1);
    const reached = rulesReachedIn(run);
    const missedIds = shownRules.filter(({ id }) => !reached.has(id)).map(({ id }) => id);
    if (shownRules.length === 0 || missedIds.length === 0) return [];
    const count = shownRules.length - missedIds.length;
    const sentence = `${run.protocol} ${run.version}: ${count} of ${shownRules.length} rules that vectors show were reached`;
    return [`${sentence}; not ${joinNames(missedIds, isBrief ? maxNamed : missedIds.length)}: to test rules, use run`];
  });
}

/** The rules of a run that vectors cover. If there are several runs, rules are assigned to them by their id prefix. */
function rulesOf({ results }: Run, rules: readonly Rule[], isOnlyRun: boolean): Rule[] {
  const prefixes = new Set(results.flatMap(({ rule }) => (rule === undefined ? [] : [rule.split("-")[0]])));
  return rules.filter(
    ({ id, check, status }) =>
      (isOnlyRun || prefixes.has(id.split("-")[0])) &&
      "covered" in status &&
      (status.covered.startsWith("vectors") || check === "semantic"),
  );
}

function rulesReachedIn({ results }: Run): Set<string> {
  const answeredResults = results.filter(({ outcome, verdict }) => outcome !== "skipped" && verdict === "invalid");
  return new Set(answeredResults.flatMap(({ rule }) => rule ?? []));
}
