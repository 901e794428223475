import type { Report, Run } from "../../schemas/index.ts";
import { reportOf } from "../results/report.ts";
import { baselines } from "./baselines.ts";

/** Several reports as one, run by run: of other protocols, or of other implementations. */
export function combine(reports: readonly [Report, ...Report[]]): Report {
  const [first, ...others] = reports;
  if (others.length === 0) return first;
  const runs = reports.flatMap(({ command, runs }) =>
    // A replay needs the command of its own run.
    command === "" ? runs : runs.map((run): Run => ({ ...run, command: run.command ?? command })),
  );
  const failOn = reports.every((report) => report.failOn === first.failOn) ? first.failOn : undefined;
  return reportOf({
    tool: first.tool,
    started: reports.map(({ started }) => started).sort()[0] as string,
    durationMs: reports.reduce((all, { durationMs }) => all + durationMs, 0),
    command: reports.every(({ command }) => command === first.command) ? first.command : "",
    complete: reports.every(({ complete }) => complete),
    failOn,
    ...baselines(reports),
    runs,
  });
}
