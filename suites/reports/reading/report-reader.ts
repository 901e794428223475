import {
  count,
  type FooterLine,
  formatAddress,
  type HeaderLine,
  isObject,
  jsonOf,
  maxValues,
  ownMember,
  ownSchemas,
  type Report,
  type ReportLine,
  type ResultLine,
  readJson,
  refuseMany,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { reportOf } from "../../results/report.ts";
import { rebuildCommands } from "./own-commands.ts";
import { upgradeLine, upgradeReport } from "./upgrade.ts";

const hint = "give a file written by --report json=FILE or --report jsonl=FILE of this version of Touchstone";

/** Reads a report back from JSON or JSON lines. If the last line is broken, the run was cut short, and the report is incomplete. Commands are rebuilt from the options. Throws a usage error with the location of any fault. */
export async function readReport(text: string, file: string): Promise<Report> {
  refuseMany(text, maxValues, file);
  reportJudge ??= loadJudge();
  const faultOf = await reportJudge;
  const firstValue = jsonOf(text.slice(0, text.indexOf("\n") + 1 || text.length));
  if (isObject(firstValue) && firstValue.line === "header") return reportFromLines(linesOf(text, file, faultOf), file);
  const report = jsonOf(text) ?? readJson(text, file).value;
  upgradeReport(report);
  refuseIfFaulty(faultOf("report", report), file);
  return rebuildCommands(requireTimes(report as unknown as Report, file), file);
}

/** Checks the start and the end of a run, which formats print: both must be real dates. */
function requireTimes(report: Report, file: string): Report {
  const { started, durationMs } = report;
  const end = new Date(Date.parse(started) + durationMs).getTime();
  if (!Number.isFinite(end))
    refuseIfFaulty(`no run began at ${JSON.stringify(started)} and took ${durationMs} ms`, file);
  return report;
}

/** Returns the fault of a value by the schema of a format, or by a definition in it. */
type ReportJudge = (format: string, value: unknown, definition?: string) => string | undefined;

// The schemas are compiled once, on first use.
let reportJudge: Promise<ReportJudge> | undefined;

async function loadJudge(): Promise<ReportJudge> {
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  const ajv = new Ajv2020({ strict: false, validateFormats: false, schemas: Object.values(ownSchemas()) });
  return (format, value, definition = "") => {
    const validate = ajv.getSchema(`${formatAddress(format)}${definition}`);
    if (validate?.(value) === true) return undefined;
    const error = validate?.errors?.[0];
    return `${error?.instancePath || "the report"} ${error?.message ?? "is wrong"}`;
  };
}

function refuseIfFaulty(fault: string | undefined, where: string): void {
  if (fault !== undefined) throw new TouchstoneError("usage", `not a report: ${fault}`, { where, hint });
}

/** Parses the lines of a report. Only the last line may be incomplete; it is then left out. */
function linesOf(text: string, file: string, faultOf: ReportJudge): ReportLine[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.flatMap((line, index): ReportLine[] => {
    const value = jsonOf(line);
    if (value === undefined && index === lines.length - 1) return [];
    // Empty lines before it give the error the correct line number.
    if (value === undefined) readJson(`${"\n".repeat(index)}${line}`, file);
    const lineKind = isObject(value) ? value.line : undefined;
    const isLast = index === lines.length - 1;
    const isPossible = lineKind === (index === 0 ? "header" : "result") || (lineKind === "footer" && isLast);
    if (!isPossible)
      refuseIfFaulty(`a line of the kind ${JSON.stringify(lineKind)} is not possible here`, `${file}:${index + 1}`);
    upgradeLine(value);
    refuseIfFaulty(faultOf("report-line", value, `#/$defs/${lineKind}`), `${file}:${index + 1}`);
    return [value as unknown as ReportLine];
  });
}

function reportFromLines(lines: readonly ReportLine[], file: string): Report {
  const [header, ...laterLines] = lines as [HeaderLine, ...ReportLine[]];
  const results = laterLines.filter((reportLine): reportLine is ResultLine => reportLine.line === "result");
  const footer = laterLines.find((reportLine): reportLine is FooterLine => reportLine.line === "footer");
  for (const { run } of results) if (header.runs[run] === undefined) refuseIfFaulty(`there is no run ${run}`, file);
  const runCount = footer?.runs.length ?? header.runs.length;
  const runs = header.runs.slice(0, runCount).map((runHeader, runIndex): Report["runs"][number] => {
    const runFooter = footer?.runs[runIndex];
    const { known = {}, bounds, inCommon, untested, lost, failure } = runFooter ?? {};
    const resultsOfRun = results
      .filter(({ run }) => run === runIndex)
      .sort((first, second) => first.index - second.index);
    const markedResults = resultsOfRun.map(({ result }) =>
      ownMember(known, result.id) === undefined ? result : { ...result, known: known[result.id] as "failing" },
    );
    return {
      ...runHeader,
      // The claims and the name of a command are only known once it has started.
      target: runFooter?.target ?? runHeader.target,
      counts: count(markedResults),
      results: markedResults,
      ...(bounds === undefined ? {} : { bounds }),
      ...(inCommon === undefined ? {} : { inCommon }),
      ...(untested === undefined ? {} : { untested }),
      ...(lost === undefined ? {} : { lost }),
      ...(failure === undefined ? {} : { failure }),
    };
  });
  const { tool, started, command, options } = header;
  const { durationMs = 0, complete = false, failOn, baseline } = footer ?? {};
  const report = reportOf({ tool, started, durationMs, complete, command, options, failOn, baseline, runs });
  const { counts } = report;
  if (footer !== undefined && JSON.stringify(counts) !== JSON.stringify({ ...counts, ...footer.counts }))
    refuseIfFaulty("its lines do not match the counts of its footer", file);
  return rebuildCommands(requireTimes(report, file), file);
}
