import {
  exitCodes,
  type FailOn,
  isMisfit,
  isNeverAsked,
  type Outcome,
  type Report,
  type Result,
  type Run,
  sum,
} from "../../schemas/index.ts";
import { explainTargetSkip } from "../base/text/skips.ts";

/**
 * The exit code of a finished run, by the first line that applies. Failures listed in the baseline do not count in the first, fourth, fifth and
 * seventh line.
 *
 * | outcome                                                                          | code |
 * |----------------------------------------------------------------------------------|------|
 * | some vector `violates`, or `warns` at a level that counts (`failOn`)             | 1    |
 * | a target could not be opened, or stopped answering; the run was interrupted      | 3    |
 * | a protocol got no answer at all: all `errored`, `timed-out` or `skipped`         | 3    |
 * | a target answered at first, and then refused all connections                     | 3    |
 * | some other vector `errored` or `timed-out`, or is `flaky` and not excused        | 1    |
 * | nothing was run, or only `disputed` vectors of a protocol                        | 2    |
 * | no valid vector of a protocol was accepted: each was warned of or skipped        | 3    |
 * | the baseline is outdated: an entry passes, has expired, is repeated or unknown   | 1    |
 * | the run judged less than the baseline records                                    | 1    |
 * | otherwise, even with `warns` and `wrong-reason`, which the report shows          | 0    |
 *
 * Errors that prevent a report have codes too: 2 usage or configuration, 3 target, 4 a fault of the tool or of the vector set.
 */
export function exitCode(report: Pick<Report, "runs" | "complete" | "failOn" | "baseline">): number {
  const { runs, complete, failOn = "must", baseline } = report;
  const someRun = (meets: (run: Run) => boolean): boolean => runs.some(meets);
  if (someRun((run) => countNotInBaseline(run, "violates") + countWarned(run, failOn) > 0)) return exitCodes.violations;
  if (!complete || someRun(({ failure }) => failure !== undefined)) return exitCodes.target;
  // A shard has only some vectors of each protocol, so it must be answered as a whole, not for each protocol.
  const isSharded = someRun(({ shard }) => shard !== undefined);
  const judgedTogether = isSharded
    ? [{ counts: sum(runs.map(({ counts }) => counts)), results: resultsOf(runs) }]
    : runs;
  if (judgedTogether.some((run) => countAll(run) > 0 && countAnswered(run) === 0)) return exitCodes.target;
  const unansweredRuns = runs.filter(
    (run) => countNotInBaseline(run, "errored") + countNotInBaseline(run, "timed-out") > 0,
  );
  if (unansweredRuns.length > 0)
    return unansweredRuns.some((run) => resultsAfterLoss(run) !== undefined) ? exitCodes.target : exitCodes.violations;
  const isFlaky = ({ results }: Run): boolean =>
    results.some((result) => result.outcome === "flaky" && result.known === undefined && failsRun(result, failOn));
  if (someRun(isFlaky)) return exitCodes.violations;
  if (runs.length === 0 || judgedTogether.some((run) => countAnswered(run) === run.counts.disputed))
    return exitCodes.usage;
  if (judgedTogether.some((run) => unacceptedResults(run).length > 0)) return exitCodes.target;
  if (baseline?.findings.some(isMisfit)) return exitCodes.violations;
  return 0;
}

/** The number of refused connections after which a target counts as lost. A single one may be an accident. */
const minRefusedConnections = 2;

/** If a target answered at first and then refused connections to the end: the last answered result, and the results after it. Otherwise undefined. */
export function resultsAfterLoss({ results }: Pick<Run, "results">): { last: Result; rest: Result[] } | undefined {
  const notSkipped = results.filter(({ outcome }) => outcome !== "skipped");
  const index = notSkipped.findLastIndex(({ outcome }) => outcome !== "errored" && outcome !== "timed-out");
  const [last, ...rest] = notSkipped.slice(Math.max(0, index));
  const refusedCount = rest.filter(({ stage }) => stage === "connect").length;
  if (index < 0 || last === undefined) return undefined;
  const isLost = refusedCount >= minRefusedConnections && refusedCount >= rest.length / 2;
  return isLost ? { last, rest } : undefined;
}

/** Whether a result fails the run if no baseline covers it. */
export function failsRun(
  { outcome, level, cause }: Pick<Result, "outcome" | "level" | "cause">,
  failOn: FailOn = "must",
): boolean {
  if (outcome === "warns") return failOn === "may" || (failOn === "should" && (level === "MUST" || level === "SHOULD"));
  if (outcome === "flaky") return cause?.kind !== "flaky" || cause.excused !== true;
  return outcome === "violates" || outcome === "errored" || outcome === "timed-out";
}

/** If a target accepted no valid vector: the valid vectors. Otherwise empty. Such a target refuses everything, so its refusals of invalid messages prove nothing. Failures in the baseline do not count. */
export function unacceptedResults({ results }: Pick<Run, "results">): Result[] {
  const validVectors = results.filter(
    ({ kind, verdict, level, outcome, cause }) =>
      kind === "vector" &&
      verdict === "valid" &&
      level === "MUST" &&
      (outcome !== "skipped" || explainTargetSkip(cause) !== undefined),
  );
  const isRefused = ({ outcome, answer, known }: Result): boolean =>
    known === undefined && (outcome === "skipped" || (outcome === "warns" && answer?.verdict === "rejected"));
  // If a document has no invalid message that can be sent, such as an operation without parameters, accepting its valid messages proves nothing.
  const documentsWithInvalid = new Set(
    results
      .filter((result) => result.verdict === "invalid" && !isNeverAsked(result.cause))
      .map(({ document }) => document),
  );
  const documentsWithoutInvalid = new Set(
    results
      .filter((result) => result.verdict === "invalid" && !documentsWithInvalid.has(result.document))
      .map(({ document }) => document),
  );
  const relevant = validVectors.filter((result) => isRefused(result) || !documentsWithoutInvalid.has(result.document));
  return relevant.every(isRefused) ? relevant : [];
}

function resultsOf(runs: readonly Run[]): Result[] {
  return runs.flatMap(({ results }) => results);
}

/** The number of vectors with an outcome that no baseline covers. */
function countNotInBaseline({ counts, results }: Run, outcome: Outcome): number {
  return counts[outcome] - results.filter((result) => result.outcome === outcome && result.known !== undefined).length;
}

function countWarned({ counts, results }: Run, failOn: FailOn): number {
  if (counts.warns === 0) return 0;
  return results.filter(
    (result) => result.outcome === "warns" && result.known === undefined && failsRun(result, failOn),
  ).length;
}

/** The number of vectors that got an answer. */
function countAnswered({ counts }: Pick<Run, "counts">): number {
  return counts.conforms + counts.violates + counts.warns + counts["wrong-reason"] + counts.disputed + counts.flaky;
}

function countAll({ counts }: Pick<Run, "counts">): number {
  return Object.values(counts).reduce((sum, number) => sum + number, 0);
}
