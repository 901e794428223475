import { dirname } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { example, TouchstoneError } from "../../../schemas/index.ts";
import type { CompareOptions, VersionComparison } from "../../authoring/compare/index.ts";
import { type ComparisonPolicy, policies } from "../../authoring/compare/result.ts";
import { declaresDescription } from "../../authoring/openapi/description-names.ts";
import { makeFolder } from "../../base/process/folder.ts";
import { reducibleReporter } from "../../base/process/watchdog.ts";
import { escapeInvisible } from "../../base/text/escape.ts";
import type { CliCommand } from "../command.ts";
import { repeatable, wholeNumber } from "../options/parsers.ts";
import { memoryHelp, runGuarded } from "../process/guarded-run.ts";

interface CompareCommandOptions {
  ref?: string[];
  for: VersionComparison["for"];
  failOn: CompareOptions["failOn"];
  breakOn?: ComparisonPolicy[];
  report?: string[];
  out?: string;
  deadline?: number;
  memory?: number;
  unguarded?: true;
  least?: true;
}

const help = `
A schema describes the messages that a consumer accepts. If the new version refuses messages that the old one accepts, producers break; if it accepts messages that the old one
refuses, consumers of the old version do. "Compatible" is proven; undecided parts are listed, and fail like a difference.

Examples:
  touchstone compare old/order.schema.json new/order.schema.json
  touchstone compare v1.json#/definitions v2.json#/definitions --for producers
  touchstone compare schemas-v1/ schemas-v2/ --report markdown=changes.md --out differences
  touchstone compare old/openapi.yaml new/openapi.yaml    the bodies, parameters and answers of each operation
  touchstone compare old/openapi.yaml new/openapi.yaml --for clients    whether those who call it break
  touchstone compare ${example.protocol} ./mine --fail-on none
  touchstone compare vectors-before/ vectors-now/    two vector sets: added, removed, renamed and changed vectors, and the effect on a baseline`;

export const compare: CliCommand = {
  define(command) {
    command
      .argument(
        "<old>",
        "a schema (FILE or FILE#/json/pointer), a folder of schemas, the folder of a pack or of a vector set, an OpenAPI document, or a protocol",
      )
      .argument("<new>", "another version of it")
      .option("--ref <path>", "a file or folder of schemas that the schemas refer to (repeatable)", repeatable(String))
      .addOption(
        new Option(
          "--for <whom>",
          "the side that must not break; clients of an API send bodies and parameters and receive answers",
        )
          .choices(["producers", "consumers", "clients", "both"])
          .default("both"),
      )
      .addOption(
        new Option(
          "--fail-on <what>",
          "differences that make the exit code 1: those that break the side of --for, any, or none",
        )
          .choices(["breaking", "any", "none"])
          .default("breaking"),
      )
      .option(
        "--break-on <what>",
        "further differences to count as breaking: added-parameter (an optional one), or format if formats only annotate (repeatable)",
        repeatable(parsePolicy),
      )
      .option(
        "--report <format[=file]>",
        "terminal, markdown or json; to standard output without a file (repeatable)",
        repeatable(String),
      )
      .option("--out <dir>", "write the messages that show differences as vectors")
      .option("--deadline <seconds>", "time limit in seconds (default: 300)", wholeNumber(1, 86_400))
      .option("--memory <mebibytes>", memoryHelp, wholeNumber(128, 1_048_576))
      .option("--unguarded", "run in this process, without time or memory limits")
      .addOption(new Option("--least").hideHelp())
      .addHelpText("after", help);
  },
  async run([oldPath = "", newPath = ""], flags) {
    const { deadline = 300, memory, unguarded, ...options } = flags as unknown as CompareCommandOptions;
    const { isVectorSet } = await import("../../authoring/compare/sets.ts");
    if (isVectorSet(oldPath) || isVectorSet(newPath)) return compareSets(oldPath, newPath, options);
    if (unguarded !== true)
      return runGuarded({ seconds: deadline, canReduce: true, ...(memory === undefined ? {} : { memory }) });
    return compareSchemas(oldPath, newPath, options, deadline);
  },
};

/** Compares two vector sets. This needs no search, and so no guarded process. */
async function compareSets(
  oldPath: string,
  newPath: string,
  { failOn, report = [] }: CompareCommandOptions,
): Promise<number> {
  const { compareVectorSets, setFormats, sinksFor } = await import("../../authoring/compare/index.ts");
  const sinks = sinksFor(report, setFormats);
  const result = compareVectorSets(oldPath, newPath, failOn);
  for (const { format, file } of sinks)
    if (file === undefined) process.stdout.write(format.render(result));
    else await writeReport(file, format.render(result));
  return result.exitCode;
}

/** The share of the time limit for finding differences; the rest is for writing them. */
const searchShare = 0.9;

async function compareSchemas(
  oldPath: string,
  newPath: string,
  options: CompareCommandOptions,
  deadline: number,
): Promise<number> {
  const startedAt = performance.now();
  const { ref: references = [], for: sideToProtect, failOn, breakOn = [], report = [], out, least } = options;
  const { compareVersions, pairsOf, sinksFor, writeVectors } = await import("../../authoring/compare/index.ts");
  const { progressOn } = await import("../output/progress.ts");
  const sinks = sinksFor(report);
  const progress = progressOn(process.stderr);
  const reportedLines = new Set<string>();
  try {
    progress.show("loading");
    const pairs = await pairsOf(oldPath, newPath, references);
    // Each pair of schemas is prepared twice: once for each direction of the search.
    const reportPrepared = reducibleReporter(2 * pairs.pairs.length);
    if (sideToProtect === "clients") requireDescriptions([oldPath, newPath]);
    const result = await compareVersions(pairs, {
      for: sideToProtect,
      failOn,
      breakOn,
      milliseconds: least === true ? 0 : deadline * 1000 * searchShare - (performance.now() - startedAt),
      onDocument: (name, index, total) => progress.show(name, index, total),
      onSearch: reportPrepared,
      note(text) {
        if (!reportedLines.has(text)) process.stderr.write(`${escapeInvisible(text)}\n`);
        reportedLines.add(text);
      },
    });
    progress.clear();
    const files = out === undefined ? [] : writeVectors(out, result);
    for (const { format, file } of sinks)
      if (file === undefined) process.stdout.write(format.render(result));
      else await writeReport(file, format.render(result));
    for (const file of files) process.stderr.write(`wrote ${escapeInvisible(file)}\n`);
    return result.exitCode;
  } finally {
    progress.stop();
  }
}

function parsePolicy(value: string): ComparisonPolicy {
  const policy = policies.find((candidate) => candidate === value);
  if (policy === undefined) throw new InvalidArgumentError(`Allowed choices are ${policies.join(", ")}.`);
  return policy;
}

function requireDescriptions(paths: readonly string[]): void {
  const schemaPath = paths.find((path) => !declaresDescription(path));
  if (schemaPath === undefined) return;
  throw new TouchstoneError("usage", "--for clients needs OpenAPI documents", {
    where: schemaPath,
    hint: "for schemas, give --for producers (senders) or --for consumers (receivers)",
  });
}

async function writeReport(file: string, text: string): Promise<void> {
  const { writeWhole } = await import("../../base/process/file-writer.ts");
  try {
    makeFolder(dirname(file));
    writeWhole(file, text);
  } catch (cause) {
    throw new TouchstoneError("usage", `the report cannot be written: ${(cause as Error).message}`, {
      where: file,
      cause,
    });
  }
}
