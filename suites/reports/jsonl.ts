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

/** The report as JSON lines. A run may also write them one by one, with `header`, `line` and `footer`. */
export const jsonl: Format = {
  name: "jsonl",
  extension: "jsonl",
  render(report) {
    const { tool, started, command, options, runs } = report;
    const head = { tool, started, command, ...(options === undefined ? {} : { options }) };
    const heads = runs.map(
      ({
        protocol,
        version,
        target,
        set,
        filter,
        readings,
        shard,
        started: began,
        command: runCommand,
        options: called,
      }) => ({
        // The claims of a target are only known once it is open, so they are in the footer.
        protocol,
        version,
        target: { kind: target.kind, name: target.name },
        set,
        filter,
        ...(readings === undefined ? {} : { readings }),
        ...(shard === undefined ? {} : { shard }),
        ...(began === undefined ? {} : { started: began }),
        ...(runCommand === undefined ? {} : { command: runCommand }),
        ...(called === undefined ? {} : { options: called }),
      }),
    );
    const results = runs.flatMap((run, number) =>
      run.results.map((result, index) => line({ run: number, index, result })),
    );
    return [header({ ...head, runs: heads }), ...results, footer(report)].join("");
  },
};

export function header(plan: Omit<HeaderLine, "line" | "$schema">): string {
  return writeLine({ line: "header", $schema: formatAddress("report-line"), ...plan });
}

export function line({ run, index, result }: Omit<ResultLine, "line">): string {
  return writeLine({ line: "result", run, index, result });
}

export function footer(report: Report): string {
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
  const known = results.flatMap((result): [string, Known][] =>
    result.known === undefined ? [] : [[result.id, result.known]],
  );
  return {
    target,
    counts,
    ...(known.length === 0 ? {} : { known: Object.fromEntries(known) }),
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
