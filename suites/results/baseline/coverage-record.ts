import type {
  Baseline,
  BaselineFinding,
  Cause,
  CauseKind,
  Judged,
  Report,
  Result,
  Rule,
  Run,
} from "../../../schemas/index.ts";
import { kindOf } from "../kind.ts";
import { filterOf, matcherOf } from "./vector-filter.ts";

/** The maximum number of rules, scenarios or causes that one finding names. */
const maxNamed = 10;

/** Returns the name under which a baseline records the coverage of a run. It contains the command and the kind of target, because these determine which part is judged. */
export function recordName(run: Run, report: Pick<Report, "options">): string {
  const verb = (run.options ?? report.options)?.verb ?? "run";
  return `${verb} ${run.protocol} ${run.target.kind}`;
}

/** Creates the record of the results that a run judged. */
export function judgedResults({ results }: Run): Judged {
  const judged = results.filter(isJudged);
  return {
    results: results.filter(isExercised).length,
    rules: countEach(judged.flatMap(({ rule }) => rule ?? [])),
    scenarios: [...new Set(judged.flatMap(({ id }) => scenarioOf(id) ?? []))].sort(),
    skipped: countEach(results.filter((result) => !isExercised(result)).map(({ cause }) => describeCause(cause))),
    vectors: filterOf(results.filter(({ kind }) => kind === "vector").map(({ id }) => id)),
  };
}

/** Whether a result counts as judging its rule. Errors count too, because they fail the run by themselves. */
export function isJudged({ outcome }: Pick<Result, "outcome">): boolean {
  return outcome !== "skipped";
}

/** The causes of skipped results of scenarios that were played. */
const playedCauses: ReadonlySet<CauseKind | undefined> = new Set(["not-shown", "ended-early", "held-up"]);

/** Whether a result was at least attempted. Skipped results of a played scenario count too, because it may show less of a rule with a slow target. */
function isExercised({ outcome, cause }: Result): boolean {
  return outcome !== "skipped" || playedCauses.has(cause?.kind);
}

/** Returns the scenario of an id; undefined for vectors, and for walks, which are random. */
function scenarioOf(id: string): string | undefined {
  const kind = kindOf(id);
  return kind === "vector" || kind === "walk" ? undefined : id.split("/scenarios/")[1]?.split("/")[0];
}

/**
 * Compares the coverage of a whole run with the record in a baseline, and reports losses. A baseline without a record is only mentioned. With a
 * different vector set, the numbers are not comparable, so only scenarios that are no longer played, and existing rules that are no longer judged,
 * count as losses.
 */
export function coverageFindings(report: Report, baseline: Baseline, rules: readonly Rule[]): BaselineFinding[] {
  const { judged = {}, sets } = baseline;
  return report.runs.flatMap((run): BaselineFinding[] => {
    const name = recordName(run, report);
    const formerRecord = judged[name];
    if (formerRecord === undefined) {
      const isForProtocol = sets[run.protocol] !== undefined;
      const problem = "the baseline does not record the coverage of this run, so lost coverage goes unnoticed";
      return isForProtocol ? [{ kind: "unrecorded", name, what: problem }] : [];
    }
    const currentRecord = judgedResults(run);
    const isSameSet = sets[run.protocol] === run.set.digest;
    const existingRules = new Set(rules.map(({ id }) => id));
    const lostScenarios = formerRecord.scenarios.filter((scenario) => !currentRecord.scenarios.includes(scenario));
    const lostRules = Object.keys(formerRecord.rules).filter(
      (rule) => currentRecord.rules[rule] === undefined && (isSameSet || existingRules.has(rule)),
    );
    const missingCount = isSameSet ? formerRecord.results - currentRecord.results : 0;
    if (missingCount <= 0 && lostScenarios.length === 0 && lostRules.length === 0) return [];
    const newlySkipped = Object.entries(currentRecord.skipped)
      .map(([cause, number]) => [cause, number - (formerRecord.skipped[cause] ?? 0)] as const)
      .filter(([, number]) => number > 0)
      .sort(([, firstCount], [, secondCount]) => secondCount - firstCount)
      .map(([cause, number]) => `${number} ${cause}`);
    const parts = [
      ...(missingCount > 0 ? [`${missingCount} fewer (${currentRecord.results} of ${formerRecord.results})`] : []),
      ...(lostScenarios.length > 0 ? [`scenarios no longer played: ${joinSome(lostScenarios)}`] : []),
      ...(lostRules.length > 0 ? [`rules no longer judged: ${joinSome(lostRules)}`] : []),
      ...(newlySkipped.length > 0 ? [`newly skipped: ${joinSome(newlySkipped)}`] : []),
    ];
    return [{ kind: "coverage", name, what: `the run judged less than the baseline records: ${parts.join("; ")}` }];
  });
}

/** Returns whether a result existed when the baseline was written; undefined if that is unknown, or if the vectors have not changed. */
export function presenceBefore(report: Report, baseline: Baseline): (id: string) => boolean | undefined {
  const changedRuns = report.runs.flatMap((run) => {
    const record = baseline.judged?.[recordName(run, report)];
    if (record === undefined || baseline.sets[run.protocol] === run.set.digest) return [];
    const hasVector = matcherOf(record.vectors);
    return [{ prefix: `${run.protocol}/${run.version}/`, has: hasVector, scenarios: record.scenarios }];
  });
  return (id) => {
    const changedRun = changedRuns.find(({ prefix }) => id.startsWith(prefix));
    if (changedRun === undefined) return undefined;
    const scenario = scenarioOf(id);
    return scenario === undefined ? changedRun.has(id) : changedRun.scenarios.includes(scenario);
  };
}

/** Describes a cause by its kind, and by the setting, claim or document that is missing. */
function describeCause(cause: Cause | undefined): string {
  if (cause === undefined) return "without a cause";
  switch (cause.kind) {
    case "needs-setting":
      return `needs-setting ${cause.needs.join(", ")}`;
    case "needs-claim":
      return `needs-claim ${cause.claims.join(", ")}`;
    case "no-endpoint":
    case "no-validator":
      return `${cause.kind} ${cause.document}`;
    case "hook-answer":
      return `hook-answer ${cause.hook}`;
    default:
      return cause.kind;
  }
}

function countEach(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([firstName], [secondName]) => (firstName < secondName ? -1 : 1)));
}

function joinSome(names: readonly string[]): string {
  const hiddenCount = names.length - maxNamed;
  return `${names.slice(0, maxNamed).join(", ")}${hiddenCount > 0 ? ` and ${hiddenCount} more` : ""}`;
}
