import { count, type Report, type Result, type Run } from "../../../schemas/index.ts";
import { reportOf } from "../../results/report.ts";
import type { Progress, RunPlan } from "../../running/run/suite.ts";

/** The report of a running or finished run, with replaceable results. */
export interface LiveResults {
  onStart(plan: RunPlan): void;
  onProgress(progress: Pick<Progress, "run" | "index" | "result" | "done" | "total">): void;
  ended(report: Report): void;
  /** Replaces the results with these ids; others are ignored. Returns whether there was one. */
  renewed(results: readonly Result[]): boolean;
  report(): Report;
  /** The revision increases with every change. */
  state(): { revision: number; done: number; total: number; isRunning: boolean };
}

export function gatherResults(begun: { started: string; command: string }): LiveResults {
  let plan: RunPlan | undefined;
  let whole: Report | undefined;
  let results: Result[][] = [];
  const at = { revision: 0, done: 0, total: 0 };
  const runOf = (head: RunPlan["runs"][number], index: number): Run => {
    const mine = (results[index] ?? []).filter((result) => result !== undefined);
    return { ...head, counts: count(mine), results: mine };
  };
  return {
    onStart(known) {
      plan = known;
      results = known.runs.map(() => []);
      at.revision += 1;
    },
    onProgress({ run, index, result, done, total }) {
      (results[run] as Result[])[index] = result;
      Object.assign(at, { done, total, revision: at.revision + 1 });
    },
    ended(report) {
      whole = report;
      at.revision += 1;
    },
    renewed(newer) {
      if (whole === undefined) return false;
      const byId = new Map(newer.map((result) => [result.id, result]));
      const runs = whole.runs.map((run) => {
        const all = run.results.map((result) => byId.get(result.id) ?? result);
        return { ...run, results: all, counts: count(all) };
      });
      const isThere = whole.runs.some((run) => run.results.some(({ id }) => byId.has(id)));
      whole = reportOf({ ...whole, runs });
      at.revision += 1;
      return isThere;
    },
    report() {
      if (whole !== undefined) return whole;
      const { started, command, runs, options } = plan ?? { ...begun, runs: [], options: undefined };
      return reportOf({ started, durationMs: 0, complete: false, command, options, runs: runs.map(runOf) });
    },
    state: () => ({ ...at, isRunning: whole === undefined }),
  };
}
