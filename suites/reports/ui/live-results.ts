import { count, type Report, type Result, type Run } from "../../../schemas/index.ts";
import { reportOf } from "../../results/report.ts";
import type { Progress, RunPlan } from "../../running/run/suite.ts";

/** The report of a running or finished run, with replaceable results. */
export interface LiveResults {
  onStart(plan: RunPlan): void;
  onProgress(progress: Pick<Progress, "run" | "index" | "result" | "done" | "total">): void;
  ended(report: Report): void;
  /** Replaces the results with these ids, and ignores others. Returns whether any was replaced. */
  renewed(results: readonly Result[]): boolean;
  report(): Report;
  /** The revision increases with every change. */
  state(): { revision: number; done: number; total: number; isRunning: boolean };
}

export function gatherResults(startFacts: { started: string; command: string }): LiveResults {
  let plan: RunPlan | undefined;
  let wholeReport: Report | undefined;
  let results: Result[][] = [];
  const progress = { revision: 0, done: 0, total: 0 };
  const runOf = (head: RunPlan["runs"][number], index: number): Run => {
    const resultsOfRun = (results[index] ?? []).filter((result) => result !== undefined);
    return { ...head, counts: count(resultsOfRun), results: resultsOfRun };
  };
  return {
    onStart(newPlan) {
      plan = newPlan;
      results = newPlan.runs.map(() => []);
      progress.revision += 1;
    },
    onProgress({ run, index, result, done, total }) {
      (results[run] as Result[])[index] = result;
      Object.assign(progress, { done, total, revision: progress.revision + 1 });
    },
    ended(report) {
      wholeReport = report;
      progress.revision += 1;
    },
    renewed(newResults) {
      if (wholeReport === undefined) return false;
      const byId = new Map(newResults.map((result) => [result.id, result]));
      const runs = wholeReport.runs.map((run) => {
        const runResults = run.results.map((result) => byId.get(result.id) ?? result);
        return { ...run, results: runResults, counts: count(runResults) };
      });
      const hasReplaced = wholeReport.runs.some((run) => run.results.some(({ id }) => byId.has(id)));
      wholeReport = reportOf({ ...wholeReport, runs });
      progress.revision += 1;
      return hasReplaced;
    },
    report() {
      if (wholeReport !== undefined) return wholeReport;
      const { started, command, runs, options } = plan ?? { ...startFacts, runs: [], options: undefined };
      return reportOf({ started, durationMs: 0, complete: false, command, options, runs: runs.map(runOf) });
    },
    state: () => ({ ...progress, isRunning: wholeReport === undefined }),
  };
}
