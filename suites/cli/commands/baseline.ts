import type { Command } from "commander";
import { example, type Report, TouchstoneError } from "../../../schemas/index.ts";
import { programName } from "../../base/text/program.ts";
import { quoteForShell } from "../../base/text/quote.ts";
import type { CliGroup, PartCommand } from "../command.ts";
import { type AdditionOptions, readAddition, withAddition } from "../options/baseline.ts";
import { type DetailOptions, withDetail } from "../options/report-detail.ts";

const about = `
A baseline lists failures that are known and left for now, each with its reason. With a baseline, a run fails on new failures, on an entry
that passes now, and on an entry that is expired, listed twice, or matches nothing.

Members that may differ from entry to entry are in the file: "flaky", "owner", "expires". An entry names a vector by "id", or
all vectors of a "rule", or of an assertion ("site": order.schema.json#/properties/count/maximum), and the outcome that is known.

Examples:
  touchstone baseline update known.json report.json --reason "until 2.0"    writes the list, or adds new failures
  touchstone baseline check known.json report.json                          holds the report against the list`;

interface BaselineCommandOptions extends AdditionOptions, DetailOptions {
  forNewSet?: true;
}

const check: PartCommand = {
  name: "check",
  summary: "compare a report with the list; writes nothing",
  define(command) {
    withDetail(withFiles(command)).addHelpText(
      "after",
      `
Examples:
  touchstone run ${example.protocol} --module validator.mjs --report json=report.json      a report of everything
  touchstone baseline check known.json report.json`,
    );
  },
  run: ([file = "", reportFile = ""], flags) =>
    gateReport("check", { file, reportFile }, flags as BaselineCommandOptions),
};

const update: PartCommand = {
  name: "update",
  summary: "update the list from a report; with --reason, add new failures",
  define(command) {
    withAddition(withFiles(command))
      .option(
        "--for-new-set",
        "accept a new version of the vectors: adds only failures of new vectors; prints a Markdown table",
      )
      .addHelpText(
        "after",
        `
Examples:
  touchstone baseline update known.json report.json --for-new-set > upgrade.md    after an upgrade, for the pull request
  touchstone baseline update known.json report.json --reason "until 2.0"    writes the list, or adds new failures
  touchstone baseline update known.json report.json                         removes outdated entries`,
      );
  },
  run: ([file = "", reportFile = ""], flags) =>
    gateReport("update", { file, reportFile }, flags as BaselineCommandOptions),
};

export const baseline: CliGroup = { help: about, parts: [check, update] };

function withFiles(command: Command): Command {
  return command
    .argument("<file>", "the list, JSON")
    .argument("<report>", "report of a whole run, from --report json=FILE or jsonl=FILE");
}

async function gateReport(
  action: "check" | "update",
  { file, reportFile }: { file: string; reportFile: string },
  options: BaselineCommandOptions,
): Promise<number> {
  const isUpdate = action === "update";
  const { quiet, verbose, forNewSet = false, ...additionOptions } = options;
  const report = await readReportFile(reportFile);
  const addition = readAddition(forNewSet ? { reason: newSetReason(report), ...additionOptions } : additionOptions);
  const { gateOptionsFor, layoutFor, readBaseline, rewriteBaseline } = await import("../output/gate.ts");
  const { applyBaseline } = await import("../../results/baseline/index.ts");
  const list = await readBaseline(file, isUpdate);
  const { protocolsIn } = await import("../sources/protocols.ts");
  const protocols = await protocolsIn([report]);
  const repair = `${programName()} baseline update ${quoteForShell(file)} ${quoteForShell(reportFile)}`;
  const context = { ...gateOptionsFor(list, file, protocols), repair };
  const gatedReport = applyBaseline(
    report,
    isUpdate
      ? {
          ...context,
          list: rewriteBaseline(report, context, {
            addition,
            forNewSet,
            byRule: additionOptions.byRule,
            text: await layoutFor(file),
          }),
        }
      : context,
  );
  if (forNewSet) {
    const { upgradeTable } = await import("../../reports/sections/upgrade-table.ts");
    process.stdout.write(upgradeTable({ before: applyBaseline(report, context), now: gatedReport, sets: list.sets }));
    return gatedReport.exitCode;
  }
  const { terminal } = await import("../../reports/terminal.ts");
  process.stdout.write(
    terminal.render(gatedReport, {
      // If the baseline matches the report, known failures and warnings need no action, so the report is brief.
      rules: context.rules,
      brief: isUpdate || quiet === true || (gatedReport.exitCode === 0 && verbose !== true),
      verbose: verbose === true,
      again: `${programName()} baseline check ${quoteForShell(file)} ${quoteForShell(reportFile)}`,
      colour: process.stdout.isTTY && process.stdout.hasColors(),
    }),
  );
  return gatedReport.exitCode;
}

/** The default reason of entries for failures of a new vector set. */
function newSetReason({ runs }: Report): string {
  return `new in the vectors ${runs.map(({ set }) => set.digest).join(", ")}`;
}

async function readReportFile(file: string): Promise<Report> {
  const { existsSync } = await import("node:fs");
  const { readBytes } = await import("../../base/format/bytes.ts");
  if (!existsSync(file)) {
    throw new TouchstoneError("usage", "the report file does not exist", {
      where: file,
      hint: "a run writes it with --report json=FILE",
    });
  }
  const { readReport } = await import("../../reports/reading/report-reader.ts");
  return readReport(readBytes(file).toString("utf8"), file);
}
