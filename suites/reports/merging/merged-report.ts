import type { Report, Run } from "../../../schemas/index.ts";
import { reportOf } from "../../results/report.ts";
import { sharedValue } from "../groups/shared-value.ts";
import { mergeBaselines } from "./baselines.ts";

/** Combines the runs of several reports, of different protocols or implementations, into one report. */
export function combine(reports: readonly [Report, ...Report[]]): Report {
  const [first, ...otherReports] = reports;
  if (otherReports.length === 0) return first;
  const runs = reports.flatMap((report) => report.runs.map((run) => withOwnCommand(run, report)));
  return reportOf({
    tool: first.tool,
    started: reports.map(({ started }) => started).sort()[0] as string,
    durationMs: unionMs(reports),
    command: sharedValue(reports.map(({ command }) => command)) ?? "",
    options: sharedValue(reports.map(({ options }) => options)),
    complete: reports.every(({ complete }) => complete),
    failOn: sharedValue(reports.map(({ failOn }) => failOn)),
    ...mergeBaselines(reports),
    runs,
  });
}

/** The milliseconds during which at least one of the runs was active: parallel runs count once, and gaps do not count. */
function unionMs(reports: readonly Report[]): number {
  const spans = reports
    .map(({ started, durationMs }) => ({ from: Date.parse(started), to: Date.parse(started) + durationMs }))
    .sort((first, second) => first.from - second.from);
  let sum = 0;
  let coveredUntil = Number.NEGATIVE_INFINITY;
  for (const { from: startMs, to: endMs } of spans) {
    sum += Math.max(0, endMs - Math.max(startMs, coveredUntil));
    coveredUntil = Math.max(coveredUntil, endMs);
  }
  return sum;
}

/** Adds to a run the command and the start of its report: a replay needs the command, and a trend the time. */
function withOwnCommand(run: Run, { command, options, started }: Report): Run {
  const ownOptions = run.options ?? options;
  return {
    ...run,
    started: run.started ?? started,
    ...(command === "" ? {} : { command: run.command ?? command }),
    ...(ownOptions === undefined ? {} : { options: ownOptions }),
  };
}
