import type { Known, Outcome, Report, Result, ResultKind } from "../../../schemas/index.ts";
import { failsRun } from "../../results/exit.ts";
import { reasonReportIsPartial } from "../../results/partial-report.ts";
import { kindsOf } from "../wording/nouns.ts";

/** A result in two reports; `before` or `now` is absent if the report does not have it. */
export interface ReportPair {
  id: string;
  kind: ResultKind;
  document: string;
  rule?: string;
  site?: string;
  before?: Outcome;
  now?: Outcome;
  /** Set if a baseline lists its current outcome. */
  known?: Known;
  why?: string;
}

/** How results changed between two reports. Whether a result fails depends on its outcome, even if a baseline lists it. */
export interface ReportDifference {
  /** Results that fail now, and passed before or are new. */
  failing: ReportPair[];
  /** Results that the baseline lists now but not before, whether or not they failed before. */
  listed: ReportPair[];
  /** Results that had a verdict and are skipped now. */
  lost: ReportPair[];
  fixed: ReportPair[];
  /** Results that fail in both reports. */
  still: ReportPair[];
  /** Results with any other change of outcome. */
  changed: ReportPair[];
  added: ReportPair[];
  removed: ReportPair[];
  /** Removed results of a rule or scenario that has no outcome in the new report. */
  gone: ReportPair[];
  /** Results that are not in the new report because it is partial; `why` gives the reason. */
  unseen: ReportPair[];
  /** The number of results in both reports. */
  common: number;
  /** The kinds of results in either report. */
  kinds: ResultKind[];
  /** Protocols with different vectors in the two reports. */
  sets: string[];
  /** Whether the new report has an outcome for every selected vector and scenario. */
  complete: boolean;
  /** 0: the same or better. 1: a result fails that did not fail before, a result with an outcome is now skipped or not shown, or a rule or scenario is gone. 2: the reports have no results in common. 3: the new report is incomplete. */
  exitCode: 0 | 1 | 2 | 3;
}

/** Compares a report with an older one. */
export function compare(before: Report, now: Report): ReportDifference {
  const [oldResults, newResults] = [resultsOf(before), resultsOf(now)];
  const pairs = [...new Set([...oldResults.keys(), ...newResults.keys()])].map((id) => {
    const [oldResult, newResult] = [oldResults.get(id), newResults.get(id)];
    return {
      pair: pairOf(id, oldResult, newResult),
      failed: oldResult !== undefined && failsRun(oldResult, before.failOn),
      fails: newResult !== undefined && failsRun(newResult, now.failOn),
      isListed: newResult?.known !== undefined && oldResult?.known === undefined,
    };
  });
  const pairsThat = (condition: (pair: (typeof pairs)[number]) => boolean): ReportPair[] =>
    pairs.filter(condition).map(({ pair }) => pair);
  const missing = pairsThat(({ pair }) => pair.now === undefined);
  const reasonNotShown = reasonsNotShown(before, now);
  const removed = missing.filter(({ id }) => reasonNotShown(id) === undefined);
  const isCovered = isCoveredBy(now);
  const difference = {
    failing: pairsThat(({ failed, fails, isListed }) => fails && !failed && !isListed),
    listed: pairsThat(({ isListed }) => isListed),
    lost: pairsThat(({ pair, failed }) => pair.now === "skipped" && !failed && hadVerdict(pair)),
    fixed: pairsThat(({ pair, failed, fails }) => failed && !fails && pair.now !== undefined && pair.now !== "skipped"),
    still: pairsThat(({ failed, fails, isListed }) => failed && fails && !isListed),
    changed: pairsThat(
      ({ pair: { before, now }, failed, fails }) =>
        before !== undefined && now !== undefined && before !== now && !fails && (now === "skipped" ? failed : !failed),
    ),
    added: pairsThat(({ pair }) => pair.before === undefined),
    removed,
    gone: removed.filter((pair) => hadVerdict(pair) && !isCovered(pair)),
    unseen: missing.flatMap((pair) => {
      const why = reasonNotShown(pair.id);
      return why === undefined ? [] : [{ ...pair, why }];
    }),
    common: pairsThat(({ pair }) => pair.before !== undefined && pair.now !== undefined).length,
    kinds: kindsOf(pairs.map(({ pair }) => pair)),
  };
  return {
    ...difference,
    sets: findChangedSets(before, now),
    complete: now.complete,
    exitCode: exitCodeOf(difference, now.complete),
  };
}

type ReportChanges = Pick<ReportDifference, "failing" | "lost" | "unseen" | "gone" | "common">;

function exitCodeOf(
  { failing, lost, unseen, gone, common }: ReportChanges,
  complete: boolean,
): ReportDifference["exitCode"] {
  if (common === 0) return 2;
  if (failing.length + lost.length > 0) return 1;
  if (!complete) return 3;
  return unseen.some(hadVerdict) || gone.length > 0 ? 1 : 0;
}

/** Whether a report has an outcome for the scenario and the rule of a result. */
function isCoveredBy(report: Report): (pair: ReportPair) => boolean {
  const results = report.runs.flatMap((run) => run.results.filter(({ outcome }) => outcome !== "skipped"));
  const rules = new Set(results.flatMap(({ rule }) => rule ?? []));
  const scenarios = new Set(results.map(scenarioOf));
  return (pair) => (pair.rule === undefined || rules.has(pair.rule)) && scenarios.has(scenarioOf(pair));
}

/**
 * Returns the id without its rule, which is the same for all results of a scenario. All vectors count as one scenario, and so do all walks, which are
 * random.
 */
function scenarioOf({ id, kind }: Pick<ReportPair, "id" | "kind">): string {
  return kind === "vector" || kind === "walk" ? kind : id.split("/").slice(0, 4).join("/");
}

function hadVerdict({ before }: ReportPair): boolean {
  return before !== undefined && before !== "skipped";
}

function resultsOf({ runs }: Report): Map<string, Result> {
  return new Map(runs.flatMap(({ results }) => results.map((result): [string, Result] => [result.id, result])));
}

/** Returns the reason why the new report may not show a result of the old one; undefined if the new report covers everything, and the result is really gone. */
function reasonsNotShown(before: Report, now: Report): (id: string) => string | undefined {
  const reasonById = new Map<string, string>();
  for (const { protocol, version, results } of before.runs) {
    const runs = now.runs.filter((run) => run.protocol === protocol && run.version === version);
    const why =
      runs.length === 0
        ? `${protocol} ${version} was not run`
        : reasonReportIsPartial({ runs, complete: now.complete });
    if (why !== undefined) for (const { id } of results) reasonById.set(id, why);
  }
  return (id) => reasonById.get(id);
}

function pairOf(id: string, oldResult: Result | undefined, newResult: Result | undefined): ReportPair {
  const latestResult = (newResult ?? oldResult) as Result;
  return {
    id,
    kind: latestResult.kind,
    document: latestResult.document,
    ...(latestResult.rule === undefined ? {} : { rule: latestResult.rule }),
    ...(latestResult.site === undefined ? {} : { site: latestResult.site }),
    ...(oldResult === undefined ? {} : { before: oldResult.outcome }),
    ...(newResult === undefined ? {} : { now: newResult.outcome }),
    ...(newResult?.known === undefined ? {} : { known: newResult.known }),
    ...(newResult?.why === undefined ? {} : { why: newResult.why }),
  };
}

function findChangedSets(before: Report, now: Report): string[] {
  const digests = new Map(before.runs.map(({ protocol, version, set }) => [`${protocol} ${version}`, set.digest]));
  return now.runs
    .map(({ protocol, version, set }) => ({ name: `${protocol} ${version}`, digest: set.digest }))
    .filter(({ name, digest }) => digests.has(name) && digests.get(name) !== digest)
    .map(({ name }) => name);
}
