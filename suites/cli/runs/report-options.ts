import { existsSync } from "node:fs";
import { isPackPath, type Report, type ReportOptions, TouchstoneError } from "../../../schemas/index.ts";
import { isDescription } from "../../authoring/openapi/description-names.ts";
import { readBytes } from "../../base/format/bytes.ts";
import { readReport } from "../../reports/reading/report-reader.ts";
import { remembersMessages } from "../../results/command-line.ts";
import type { RunOptions } from "../options/settings.ts";
import { withoutUntrustedCode } from "./report-code.ts";
import { targetOptionsIn } from "./report-target.ts";

/**
 * Returns the options that repeat the reported run with a result for this id. Options of the command line override them. Throws a usage error
 * if the report does not contain the options, or if they name code or need a value that the command line does not name.
 */
export async function optionsFromReport(
  file: string,
  id: string,
  commandLine: RunOptions,
): Promise<RunOptions & { protocol?: string }> {
  const { options, failOn } = await findRunOptions(file, id);
  const trustedOptions = await withoutUntrustedCode(runOptionsIn(options, commandLine), commandLine, file);
  const headers = [...(trustedOptions.header ?? []), ...(commandLine.header ?? [])];
  const isOwnPack = isPackPath(options.protocol) || isDescription(options.protocol);
  return {
    ...trustedOptions,
    ...(failOn === undefined ? {} : { failOn }),
    ...commandLine,
    ...(headers.length === 0 ? {} : { header: headers }),
    ...(isOwnPack ? { protocol: options.protocol } : {}),
  };
}

/** Finds the run with a result for this id, and returns its options. */
async function findRunOptions(file: string, id: string): Promise<{ options: ReportOptions; failOn: Report["failOn"] }> {
  if (!existsSync(file))
    throw new TouchstoneError("usage", "the report file does not exist", {
      where: file,
      hint: "a run writes it with --report json=FILE",
    });
  const report = await readReport(readBytes(file).toString("utf8"), file);
  const runsOfProtocol = report.runs.filter(({ protocol }) => id.startsWith(`${protocol}/`));
  const run =
    runsOfProtocol.find(({ results }) => results.some((result) => result.id.startsWith(id))) ?? runsOfProtocol[0];
  const options = run?.options ?? report.options;
  if (options === undefined) throw unrepeatableRun(file, "the report does not contain the options of its run");
  if ((options.verb !== "run" && options.verb !== "play") || options.target.kind === "hooks")
    throw unrepeatableRun(file, `the report is of touchstone ${options.verb}`);
  // The options of a report with several protocols contain the readings of all of them.
  return { options: { ...options, readings: run?.readings ?? [] }, failOn: report.failOn };
}

function unrepeatableRun(file: string, reason: string): TouchstoneError {
  return new TouchstoneError("usage", reason, { where: file, hint: "name the target instead of the report" });
}

/** Converts the options of a report to those of the command line. */
function runOptionsIn(options: ReportOptions, commandLine: RunOptions): RunOptions {
  const { verb, target, seed, timeoutMs, vectors, readings, config } = options;
  return {
    ...targetOptionsIn(target, commandLine),
    ...(seed === undefined || remembersMessages(verb, target) ? {} : { seed }),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    ...(vectors === undefined ? {} : { vectors }),
    ...(readings === undefined ? {} : { reading: readings }),
    ...(config === undefined ? {} : { config }),
  };
}
