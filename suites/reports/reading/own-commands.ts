import type { Report, ReportOptions, Run } from "../../../schemas/index.ts";
import { programName } from "../../base/text/program.ts";
import { quoteForShell } from "../../base/text/quote.ts";
import { commandFromOptions } from "../../results/command-line.ts";
import { extentOptions } from "../../results/options.ts";

/** The options for the extent of generation, which the options of a report do not contain. Their values are numbers, possibly with colons. */
const extentPattern = new RegExp(`((?: --(?:${extentOptions.join("|")}) [\\d:]+)*)$`);
/** A harmless command for generating vectors, with only plain words as arguments. */
const generateCommand = /^touchstone generate [\w./-]+(?: --(?:out|effort|deadline|seed) [\w./-]+)*$/;

/** Replaces the commands in a report, which may be forged, because readers paste them into a shell: each is built again from the options, or left out if there are none. `file` is the path of the report as the reader gave it. */
export function rebuildCommands(report: Report, file: string): Report {
  const { baseline } = report;
  const rebuiltReport = {
    ...report,
    command: rebuildCommand(report.command, report.options),
    runs: report.runs.map((run) => withRunCommand(run, report)),
  };
  if (baseline?.repair === undefined) return rebuiltReport;
  const { repair: _, ...otherMembers } = baseline;
  const repair =
    file === "-"
      ? {}
      : { repair: `${programName()} baseline update ${quoteForShell(baseline.file)} ${quoteForShell(file)}` };
  return { ...rebuiltReport, baseline: { ...otherMembers, ...repair } };
}

function withRunCommand(run: Run, { options }: Report): Run {
  const { command, set } = run;
  const changed = set.changed;
  return {
    ...run,
    ...(command === undefined ? {} : { command: rebuildCommand(command, run.options ?? options) }),
    ...(changed === undefined || generateCommand.test(changed.again)
      ? {}
      : { set: { ...set, changed: { ...changed, again: JSON.stringify(changed.again) } } }),
  };
}

function rebuildCommand(command: string, options: ReportOptions | undefined): string {
  if (command === "" || options === undefined) return "";
  const [, extentArgs = ""] = extentPattern.exec(command) ?? [];
  const [program = programName()] = programPattern.exec(command) ?? [];
  const buildCommand = (isConfigured: boolean): string => commandFromOptions(options, { program, isConfigured });
  const isConfigured = typeof options.config === "string" && command.startsWith(buildCommand(true));
  return `${buildCommand(isConfigured)}${options.verb === "fuzz" ? extentArgs : ""}`;
}

/** The call of this program at the beginning of a command. It is kept, and the rest of the command is built again. */
const programPattern = /^(?:npm run -s touchstone --|(?:npx |pnpm exec |pnpm dlx |yarn |bunx )?touchstone)(?= )/;
