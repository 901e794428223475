import type { Report, ReportOptions, Run } from "../../../schemas/index.ts";
import { programName } from "../../base/text/program.ts";
import { quote } from "../../base/text/quote.ts";
import { lineOf } from "../../results/command-line.ts";
import { extentOptions } from "../../results/options.ts";

/** Options for the extent of generation, which the report's options do not contain: numbers, and paths. */
const extent = new RegExp(`((?: --(?:${extentOptions.join("|")}) [\\d:]+)*)$`);
const makesVectors = /^touchstone generate [\w./-]+(?: --(?:out|effort|deadline|seed) [\w./-]+)*$/;

/** A report without the commands that its writer may have forged: each is built again from the options, or left out if there are none, since readers paste commands. `file` is the report's own path, as the reader gave it. */
export function withOwnCommands(report: Report, file: string): Report {
  const { baseline } = report;
  const ownReport = {
    ...report,
    command: rebuildCommand(report.command, report.options),
    runs: report.runs.map((run) => withRunCommand(run, report)),
  };
  if (baseline?.repair === undefined) return ownReport;
  const { repair: _, ...held } = baseline;
  const repair =
    file === "-" ? {} : { repair: `${programName()} baseline update ${quote(baseline.file)} ${quote(file)}` };
  return { ...ownReport, baseline: { ...held, ...repair } };
}

function withRunCommand(run: Run, { options }: Report): Run {
  const { command, set } = run;
  const changed = set.changed;
  return {
    ...run,
    ...(command === undefined ? {} : { command: rebuildCommand(command, run.options ?? options) }),
    ...(changed === undefined || makesVectors.test(changed.again)
      ? {}
      : { set: { ...set, changed: { ...changed, again: JSON.stringify(changed.again) } } }),
  };
}

function rebuildCommand(command: string, options: ReportOptions | undefined): string {
  if (command === "" || options === undefined) return "";
  const [, drawnOptions = ""] = extent.exec(command) ?? [];
  const [ownProgram = programName()] = ways.exec(command) ?? [];
  const line = (isConfigured: boolean): string => lineOf(options, { program: ownProgram, isConfigured });
  const isConfigured = typeof options.config === "string" && command.startsWith(line(true));
  return `${line(isConfigured)}${options.verb === "fuzz" ? drawnOptions : ""}`;
}

/** The possible names of this program in a command; the rest of the command is rewritten to its present form. */
const ways = /^(?:npm run -s touchstone --|(?:npx |pnpm exec |pnpm dlx |yarn |bunx )?touchstone)(?= )/;
