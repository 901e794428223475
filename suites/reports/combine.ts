import { type Report, type Run, sum } from "../../schemas/index.ts";
import { exitCode } from "../results/exit.ts";
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
  const told = {
    complete: reports.every(({ complete }) => complete),
    counts: sum(runs.map(({ counts }) => counts)),
    ...(failOn === undefined ? {} : { failOn }),
    ...baselines(reports),
  };
  return {
    $schema: first.$schema,
    tool: first.tool,
    started: reports.map(({ started }) => started).sort()[0] as string,
    durationMs: reports.reduce((all, { durationMs }) => all + durationMs, 0),
    command: reports.every(({ command }) => command === first.command) ? first.command : "",
    ...told,
    exitCode: exitCode({ runs, ...told }),
    runs,
  };
}
