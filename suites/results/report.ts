import { formatAddress, type Report, sum, version } from "../../schemas/index.ts";
import { exitCode } from "./exit.ts";

/** The parts of a report. By default, the tool is this version of Touchstone. */
export interface ReportParts extends Pick<Report, "started" | "durationMs" | "complete" | "command" | "runs"> {
  tool?: Report["tool"];
  options?: Report["options"] | undefined;
  failOn?: Report["failOn"] | undefined;
  baseline?: Report["baseline"] | undefined;
}

/** The only constructor of reports. It computes the counts and the exit code from the runs. */
export function reportOf({ tool = thisTool, options, failOn, baseline, ...parts }: ReportParts): Report {
  const { started, durationMs, complete, command, runs } = parts;
  const gates = {
    ...(failOn === undefined ? {} : { failOn }),
    ...(baseline === undefined ? {} : { baseline }),
  };
  return {
    $schema: formatAddress("report"),
    tool,
    started,
    durationMs,
    complete,
    command,
    ...(options === undefined ? {} : { options }),
    counts: sum(runs.map((run) => run.counts)),
    ...gates,
    exitCode: exitCode({ runs, complete, ...gates }),
    runs,
  };
}

export const thisTool: Report["tool"] = { name: "touchstone", version };

/** Starts a stopwatch. The returned function gives the start time, and the duration until it is called. */
export function stopwatch(): () => Pick<Report, "started" | "durationMs"> {
  const started = new Date().toISOString();
  const startMs = performance.now();
  return () => ({ started, durationMs: Math.round(performance.now() - startMs) });
}
