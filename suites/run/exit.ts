import { exitCodes, type Report, type Run } from "../../schemas/index.ts";

/**
 * The exit code of a finished run: the first line that holds.
 *
 * | what happened                                                                    | code |
 * |----------------------------------------------------------------------------------|------|
 * | some vector `violates`                                                           | 1    |
 * | a target could not be opened, or stopped answering; the run was interrupted      | 3    |
 * | a protocol of which nothing was answered: all `errored`, `timed-out`, `skipped`  | 3    |
 * | some vector `errored` or `timed-out`                                             | 1    |
 * | nothing was run, or nothing but `disputed` vectors of a protocol                 | 2    |
 * | otherwise, also with `warns` and `wrong-reason`, which the report shows          | 0    |
 *
 * Errors that prevent a report have their own: 2 usage or configuration, 3 target, 4 a fault of the tool or of the vector set.
 */
export function exitCode({ runs, complete }: Pick<Report, "runs" | "complete">): number {
  const some = (is: (run: Run) => boolean): boolean => runs.some(is);
  if (some(({ counts }) => counts.violates > 0)) return exitCodes.violations;
  if (!complete || some(({ failure }) => failure !== undefined)) return exitCodes.target;
  if (some((run) => run.results.length > 0 && answered(run) === 0)) return exitCodes.target;
  if (some(({ counts }) => counts.errored + counts["timed-out"] > 0)) return exitCodes.violations;
  if (runs.length === 0 || some((run) => answered(run) === run.counts.disputed)) return exitCodes.usage;
  return 0;
}

/** How many vectors got an answer. */
function answered({ counts }: Run): number {
  return counts.conforms + counts.violates + counts.warns + counts["wrong-reason"] + counts.disputed;
}
