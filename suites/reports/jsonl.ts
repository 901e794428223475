import {
  type FooterLine,
  formatAddress,
  type HeaderLine,
  type Known,
  type Report,
  type ReportLine,
  type ResultLine,
  type Run,
} from "../../schemas/index.ts";
import { escapeInvisibleJson } from "../base/text/escape.ts";
import type { Format } from "./format.ts";

/** The report as JSON lines. A run can also write them one by one, with `formatHeader`, `formatResult` and `formatFooter`. */
export const jsonl: Format = {
  name: "jsonl",
  extension: "jsonl",
  render(report) {
    const { tool, started, command, options, runs } = report;
    const reportHead = { tool, started, command, ...(options === undefined ? {} : { options }) };
    const runHeads = runs.map(
      ({
        protocol,
        version,
        target,
        set,
        filter,
        readings,
        shard,
        started: runStarted,
        command: runCommand,
        options: runOptions,
      }) => ({
        // The claims of a target are only known once it is open, so they are in the footer.
        protocol,
        version,
        target: { kind: target.kind, name: target.name },
        set,
        filter,
        ...(readings === undefined ? {} : { readings }),
        ...(shard === undefined ? {} : { shard }),
        ...(runStarted === undefined ? {} : { started: runStarted }),
        ...(runCommand === undefined ? {} : { command: runCommand }),
        ...(runOptions === undefined ? {} : { options: runOptions }),
      }),
    );
    const results = runs.flatMap((run, runIndex) =>
      run.results.map((result, index) => formatResult({ run: runIndex, index, result })),
    );
    return [formatHeader({ ...reportHead, runs: runHeads }), ...results, formatFooter(report)].join("");
  },
};

export function formatHeader(plan: Omit<HeaderLine, "line" | "$schema">): string {
  return writeLine({ line: "header", $schema: formatAddress("report-line"), ...plan });
}

export function formatResult({ run, index, result }: Omit<ResultLine, "line">): string {
  return writeLine({ line: "result", run, index, result });
}

export function formatFooter(report: Report): string {
  const { durationMs, complete, counts, failOn, baseline, exitCode, runs } = report;
  return writeLine({
    line: "footer",
    durationMs,
    complete,
    counts,
    ...(failOn === undefined ? {} : { failOn }),
    ...(baseline === undefined ? {} : { baseline }),
    exitCode,
    runs: runs.map(runFooter),
  });
}

function runFooter(run: Run): FooterLine["runs"][number] {
  const { target, counts, results, bounds, inCommon, untested, lost, failure } = run;
  const knownById = results.flatMap((result): [string, Known][] =>
    result.known === undefined ? [] : [[result.id, result.known]],
  );
  return {
    target,
    counts,
    ...(knownById.length === 0 ? {} : { known: Object.fromEntries(knownById) }),
    ...(bounds === undefined ? {} : { bounds }),
    ...(inCommon === undefined ? {} : { inCommon }),
    ...(untested === undefined ? {} : { untested }),
    ...(lost === undefined ? {} : { lost }),
    ...(failure === undefined ? {} : { failure }),
  };
}

function writeLine(reportLine: ReportLine): string {
  return `${escapeInvisibleJson(JSON.stringify(reportLine))}\n`;
}
