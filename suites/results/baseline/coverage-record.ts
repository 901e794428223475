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

/** The maximum number of rules, scenarios and causes named in one finding. */
const maxNamed = 10;

/** The name of a record: runs of another command, or against another kind of target, judge a different part. */
export function recordOf(run: Run, report: Pick<Report, "options">): string {
  const verb = (run.options ?? report.options)?.verb ?? "run";
  return `${verb} ${run.protocol} ${run.target.kind}`;
}

/** The record of the results that a run judged. */
export function judgedResults({ results }: Run): Judged {
  const judged = results.filter(isJudged);
  return {
    results: results.filter(isExercised).length,
    rules: tally(judged.flatMap(({ rule }) => rule ?? [])),
    scenarios: [...new Set(judged.flatMap(({ id }) => scenarioOf(id) ?? []))].sort(),
    skipped: tally(results.filter((result) => !isExercised(result)).map(({ cause }) => causeInWords(cause))),
    vectors: filterOf(results.filter(({ kind }) => kind === "vector").map(({ id }) => id)),
  };
}

/** Whether a result judges its rule, or failed to: errors fail the run by themselves. */
export function isJudged({ outcome }: Pick<Result, "outcome">): boolean {
  return outcome !== "skipped";
}

/** The causes of skipped results of scenarios that were played. */
const playedCauses: ReadonlySet<CauseKind | undefined> = new Set(["not-shown", "ended-early", "held-up"]);

/** Whether it was at least attempted: a scenario may show less of a rule for a slower target. */
function isExercised({ outcome, cause }: Result): boolean {
  return outcome !== "skipped" || playedCauses.has(cause?.kind);
}

/** The scenario of an id; undefined for vectors, and for walks, which are random. */
function scenarioOf(id: string): string | undefined {
  const kind = kindOf(id);
  return kind === "vector" || kind === "walk" ? undefined : id.split("/scenarios/")[1]?.split("/")[0];
}

/** What a whole run lost compared with the record of a list; a list without a record is only mentioned. With another set of vectors the numbers are not comparable: then a loss is a rule or scenario that still exists and is no longer judged. */
export function coverageFindings(report: Report, list: Baseline, rules: readonly Rule[]): BaselineFinding[] {
  const { judged = {}, sets } = list;
  return report.runs.flatMap((run): BaselineFinding[] => {
    const name = recordOf(run, report);
    const before = judged[name];
    if (before === undefined) {
      const isAbout = sets[run.protocol] !== undefined;
      const problem = "the baseline does not record the coverage of this run, so lost coverage goes unnoticed";
      return isAbout ? [{ kind: "unrecorded", name, what: problem }] : [];
    }
    const now = judgedResults(run);
    const isSame = sets[run.protocol] === run.set.digest;
    const exists = new Set(rules.map(({ id }) => id));
    const scenarios = before.scenarios.filter((scenario) => !now.scenarios.includes(scenario));
    const lostRules = Object.keys(before.rules).filter(
      (rule) => now.rules[rule] === undefined && (isSame || exists.has(rule)),
    );
    const fewer = isSame ? before.results - now.results : 0;
    if (fewer <= 0 && scenarios.length === 0 && lostRules.length === 0) return [];
    const hiddenCount = Object.entries(now.skipped)
      .map(([cause, number]) => [cause, number - (before.skipped[cause] ?? 0)] as const)
      .filter(([, number]) => number > 0)
      .sort(([, one], [, other]) => other - one)
      .map(([cause, number]) => `${number} ${cause}`);
    const parts = [
      ...(fewer > 0 ? [`${fewer} fewer (${now.results} of ${before.results})`] : []),
      ...(scenarios.length > 0 ? [`scenarios no longer played: ${joinSome(scenarios)}`] : []),
      ...(lostRules.length > 0 ? [`rules no longer judged: ${joinSome(lostRules)}`] : []),
      ...(hiddenCount.length > 0 ? [`skipped that were not: ${joinSome(hiddenCount)}`] : []),
    ];
    return [{ kind: "coverage", name, what: `the run judged less than the baseline records: ${parts.join("; ")}` }];
  });
}

/** Whether a result existed when a list was written; undefined if that is unknown, or if the vectors are the same. */
export function presenceBefore(report: Report, list: Baseline): (id: string) => boolean | undefined {
  const prefixes = report.runs.flatMap((run) => {
    const record = list.judged?.[recordOf(run, report)];
    if (record === undefined || list.sets[run.protocol] === run.set.digest) return [];
    const has = matcherOf(record.vectors);
    return [{ prefix: `${run.protocol}/${run.version}/`, has, scenarios: record.scenarios }];
  });
  return (id) => {
    const runOfId = prefixes.find(({ prefix }) => id.startsWith(prefix));
    if (runOfId === undefined) return undefined;
    const scenario = scenarioOf(id);
    return scenario === undefined ? runOfId.has(id) : runOfId.scenarios.includes(scenario);
  };
}

/** The kind of a cause, and the missing part. */
function causeInWords(cause: Cause | undefined): string {
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

function tally(names: readonly string[]): Record<string, number> {
  const numbers = new Map<string, number>();
  for (const name of names) numbers.set(name, (numbers.get(name) ?? 0) + 1);
  return Object.fromEntries([...numbers].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function joinSome(names: readonly string[]): string {
  const hiddenCount = names.length - maxNamed;
  return `${names.slice(0, maxNamed).join(", ")}${hiddenCount > 0 ? ` and ${hiddenCount} more` : ""}`;
}
