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
import { withOwnCommands } from "./own-commands.ts";
import { upgradeLine, upgradeReport } from "./upgrade.ts";

const hint = "give a file that --report json=FILE or --report jsonl=FILE has written, by this version of Touchstone";

/** Reads a report back, as JSON or as lines. A report with a broken last line comes from a run that was cut short: it becomes an incomplete report. Commands are built from its options. Throws a usage error that names the place of any fault. */
export async function readReport(text: string, file: string): Promise<Report> {
  refuseMany(text, maxValues, file);
  judging ??= judge();
  const wrong = await judging;
  const first = jsonOf(text.slice(0, text.indexOf("\n") + 1 || text.length));
  if (isObject(first) && first.line === "header") return fromLines(linesOf(text, file, wrong), file);
  const report = jsonOf(text) ?? readJson(text, file).value;
  upgradeReport(report);
  throwIfWrong(wrong("report", report), file);
  return withOwnCommands(withTimes(report as unknown as Report, file), file);
}

/** Formats give the begin and the end of a run: both must be dates of the calendar. */
function withTimes(report: Report, file: string): Report {
  const { started, durationMs } = report;
  const end = new Date(Date.parse(started) + durationMs).getTime();
  if (!Number.isFinite(end)) throwIfWrong(`no run began at ${JSON.stringify(started)} and took ${durationMs} ms`, file);
  return report;
}

/** Finds the faults of a value by a format, or by a definition in its schema. */
type ReportJudge = (format: string, value: unknown, definition?: string) => string | undefined;

// Compiled once, when first needed.
let judging: Promise<ReportJudge> | undefined;

async function judge(): Promise<ReportJudge> {
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  const ajv = new Ajv2020({ strict: false, validateFormats: false, schemas: Object.values(ownSchemas()) });
  return (format, value, definition = "") => {
    const valid = ajv.getSchema(`${formatAddress(format)}${definition}`);
    if (valid?.(value) === true) return undefined;
    const error = valid?.errors?.[0];
    return `${error?.instancePath || "the whole"} ${error?.message ?? "is wrong"}`;
  };
}

function throwIfWrong(what: string | undefined, where: string): void {
  if (what !== undefined) throw new TouchstoneError("usage", `not a report: ${what}`, { where, hint });
}

/** Every line except the last must be complete. */
function linesOf(text: string, file: string, wrong: ReportJudge): ReportLine[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.flatMap((line, index): ReportLine[] => {
    const value = jsonOf(line);
    if (value === undefined && index === lines.length - 1) return [];
    // Empty lines precede it, so that the error has the line of the file.
    if (value === undefined) readJson(`${"\n".repeat(index)}${line}`, file);
    const kind = isObject(value) ? value.line : undefined;
    if (kind !== (index === 0 ? "header" : "result") && (kind !== "footer" || index < lines.length - 1))
      throwIfWrong(`a line of the kind ${JSON.stringify(kind)} is not possible here`, `${file}:${index + 1}`);
    upgradeLine(value);
    throwIfWrong(wrong("report-line", value, `#/$defs/${kind}`), `${file}:${index + 1}`);
    return [value as unknown as ReportLine];
  });
}

function fromLines(lines: readonly ReportLine[], file: string): Report {
  const [header, ...laterLines] = lines as [HeaderLine, ...ReportLine[]];
  const results = laterLines.filter((reportLine): reportLine is ResultLine => reportLine.line === "result");
  const footer = laterLines.find((reportLine): reportLine is FooterLine => reportLine.line === "footer");
  for (const { run } of results) if (header.runs[run] === undefined) throwIfWrong(`there is no run ${run}`, file);
  const runCount = footer?.runs.length ?? header.runs.length;
  const runs = header.runs.slice(0, runCount).map((head, number): Report["runs"][number] => {
    const ending = footer?.runs[number];
    const { known = {}, bounds, inCommon, untested, lost, failure } = ending ?? {};
    const resultsOfRun = results.filter(({ run }) => run === number).sort((a, b) => a.index - b.index);
    const markedResults = resultsOfRun.map(({ result }) =>
      ownMember(known, result.id) === undefined ? result : { ...result, known: known[result.id] as "failing" },
    );
    return {
      ...head,
      // The claims and the name of a command are known once it has started.
      target: ending?.target ?? head.target,
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
    throwIfWrong("its lines do not match the counts of its footer", file);
  return withOwnCommands(withTimes(report, file), file);
}
