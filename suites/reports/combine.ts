import type { Report, Run } from "../../schemas/index.ts";
import { reportOf } from "../results/report.ts";
import { baselines } from "./baselines.ts";
import { shared } from "./shared.ts";

/** Several reports as one, run by run: of other protocols, or of other implementations. */
export function combine(reports: readonly [Report, ...Report[]]): Report {
  const [first, ...others] = reports;
  if (others.length === 0) return first;
  const runs = reports.flatMap((report) => report.runs.map((run) => ofItsOwn(run, report)));
  return reportOf({
    tool: first.tool,
    started: reports.map(({ started }) => started).sort()[0] as string,
    durationMs: reports.reduce((all, { durationMs }) => all + durationMs, 0),
    command: shared(reports.map(({ command }) => command)) ?? "",
    options: shared(reports.map(({ options }) => options)),
    complete: reports.every(({ complete }) => complete),
    failOn: shared(reports.map(({ failOn }) => failOn)),
    ...baselines(reports),
    runs,
  });
}

/** A replay needs the command of its own run, and a trend the time. */
function ofItsOwn(run: Run, { command, options, started }: Report): Run {
  const own = run.options ?? options;
  return {
    ...run,
    started: run.started ?? started,
    ...(command === "" ? {} : { command: run.command ?? command }),
    ...(own === undefined ? {} : { options: own }),
  };
}
