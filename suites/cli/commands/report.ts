import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import {
  type Protocol,
  protocolsNamed,
  type Report,
  type Rule,
  readWhole,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { describeReadError } from "../../base/format/bytes.ts";
import { escapeInvisible, escapeInvisibleJson } from "../../base/text/escape.ts";
import { programName } from "../../base/text/program.ts";
import { quoteForShell } from "../../base/text/quote.ts";
import type { MergeSource } from "../../reports/merging/merge.ts";
import { reasonReportIsPartial } from "../../results/partial-report.ts";
import type { CliGroup, PartCommand } from "../command.ts";
import { repeatable } from "../options/parsers.ts";
import { type DetailOptions, withDetail } from "../options/report-detail.ts";

interface ReportCommandOptions extends DetailOptions {
  report?: string[];
  vectors?: string;
  json?: true;
  site?: string;
  key?: string[];
  protocol?: string[];
}

const render: PartCommand = {
  name: "render",
  summary: "convert reports, also partial ones; exit code 0",
  define(command) {
    withFormats(withFiles(command))
      .option("--site <dir>", "make a site of reports and certificates in this folder, with badges")
      .option(
        "--key <file>",
        "with --site: a public key of trusted certificates (repeatable)",
        repeatable((value: string) => value),
      )
      .option(
        "--protocol <path>",
        "with --site: the folder of a certificate's pack (repeatable)",
        repeatable((value: string) => value),
      )
      .addHelpText(
        "after",
        `
Examples:
  touchstone report render report.json                                    on the terminal
  touchstone report render report.json --report html=report.html --report markdown=summary.md
  touchstone report render old.json new.json --report html=both.html      several in one
  touchstone report render --site public hub@1.2=report.json              a static site; NAME@RELEASE names the implementation of a report`,
      );
  },
  async run(files, flags) {
    const { site: folder, key, protocol, ...options } = flags as ReportCommandOptions;
    if (folder !== undefined) return buildSite(folder, files, flags as ReportCommandOptions);
    if ((key ?? protocol) !== undefined)
      throw new TouchstoneError("usage", `--${key === undefined ? "protocol" : "key"} needs --site`, {
        hint: "leave it out",
      });
    return renderReport(await readSources(files), options);
  },
};

const mergePart: PartCommand = {
  name: "merge",
  summary: "merge the reports of all shards; the exit code is that of the whole run",
  define(command) {
    withFormats(withFiles(command))
      .option("--vectors <dir>", "the vector set of the run (default: the built-in one)")
      .addHelpText(
        "after",
        `
Example:
  touchstone report merge shard-*.json --report json=report.json --report html=report.html`,
      );
  },
  run: async (files, flags) => mergeSources(await readSources(files), flags as ReportCommandOptions),
};

const diffPart: PartCommand = {
  name: "diff",
  summary: "show new, fixed and remaining failures between two reports",
  define(command) {
    command
      .argument("<old>", "a report, JSON or JSON lines; - reads standard input")
      .argument("<new>", "a later report on the same protocol")
      .option("--json", "as JSON")
      .addHelpText(
        "after",
        `
Exit code 1 if there are new failures, or results are missing.

Example:
  touchstone report diff main.json branch.json`,
      );
  },
  run: async (files, flags) => diffReports(await readSources(files), flags as ReportCommandOptions),
};

const help = `
Examples:
  touchstone report render report.json --report html=report.html
  touchstone report merge shard-*.json --report json=report.json
  touchstone report diff main.json branch.json`;

export const report: CliGroup = { help, parts: [render, mergePart, diffPart] };

function withFiles(command: Command): Command {
  return command.argument("<file...>", "reports, JSON or JSON lines; - reads standard input");
}

function withFormats(command: Command): Command {
  return withDetail(
    command.option(
      "--report <format[=file]>",
      "a format, see `touchstone run --help`; to standard output without a file (repeatable)",
      repeatable((value: string) => value),
    ),
  );
}

async function readSources(files: readonly string[]): Promise<MergeSource[]> {
  const { readReport } = await import("../../reports/index.ts");
  const sources: MergeSource[] = [];
  for (const file of files) sources.push({ file, report: await readReport(readText(file), file) });
  return sources;
}

async function renderReport(
  sources: readonly MergeSource[],
  { report: reports = [], ...detail }: ReportCommandOptions,
): Promise<number> {
  const { writeReport, sinksOf } = await import("../output/sinks.ts");
  const { combine } = await import("../../reports/index.ts");
  const merged = combine(sources.map((source) => source.report) as [Report, ...Report[]]);
  const sinks = sinksOf(reports);
  // The report exists already, so if only files are requested, the terminal shows just its summary.
  const writesOnlyFiles = reports.length > 0 && reports.every((format) => format.includes("="));
  const quiet = writesOnlyFiles && detail.verbose !== true ? true : detail.quiet;
  return writeReport(merged, await rulesOf([merged]), sinks, {
    ...detail,
    quiet,
    again: repeatCommand("render", sources),
    code: 0,
  });
}

/** A report given as NAME@RELEASE=FILE, unless a file has that whole name. */
const namedReport = /^([^=@]+)@([^=@]+)=(.+)$/s;

async function buildSite(
  folder: string,
  files: readonly string[],
  { report: reports, key: keys = [], protocol: packs = [] }: ReportCommandOptions,
): Promise<number> {
  if (reports !== undefined)
    throw new TouchstoneError("usage", "--site and --report cannot be combined", { hint: "call report render twice" });
  const { keyId, readPublicKey } = await import("../../publishing/certify/key.ts");
  const { readEntry, renderSite, writeSite } = await import("../../publishing/site/index.ts");
  const { protocolsNamedBy } = await import("../../packs/pack/load.ts");
  const namedProtocols = (await Promise.all(packs.map((path) => protocolsNamedBy(path)))).flat();
  const trustedKeys = new Set(keys.map((file) => keyId(readPublicKey(file))));
  const findProtocol = (name: string, version: string): Protocol | undefined =>
    [...namedProtocols, ...protocolsNamed("all")].find(
      (protocol) => protocol.name === name && protocol.version === version,
    );
  const entries = [];
  for (const argument of files) {
    const [, name, release, path] = existsSync(argument) ? [] : (namedReport.exec(argument) ?? []);
    const file = path ?? argument;
    const subject = name === undefined || release === undefined ? {} : { implementation: { name, release } };
    entries.push(await readEntry(readText(file), file, { trustedKeys, findProtocol, ...subject }));
  }
  const pages = renderSite(entries, await rulesOf(entries.map((entry) => entry.report)));
  writeSite(folder, pages);
  process.stdout.write(`${escapeInvisible(join(folder, "index.html"))} and ${pages.size - 1} other files written\n`);
  return 0;
}

async function mergeSources(
  sources: readonly MergeSource[],
  { report: reports = [], vectors, ...detail }: ReportCommandOptions,
): Promise<number> {
  const { writeReport, sinksOf } = await import("../output/sinks.ts");
  const { merge } = await import("../../reports/index.ts");
  const merged = merge(sources, await findPlaces(sources, vectors));
  return writeReport(merged, await rulesOf([merged]), sinksOf(reports), {
    ...detail,
    again: repeatCommand("merge", sources),
  });
}

function repeatCommand(partName: string, sources: readonly MergeSource[]): string {
  return `${programName()} report ${partName} ${sources.map(({ file }) => quoteForShell(file)).join(" ")}`;
}

async function diffReports(sources: readonly MergeSource[], { json }: ReportCommandOptions): Promise<number> {
  const [older, newer, ...otherSources] = sources;
  if (older === undefined || newer === undefined || otherSources.length > 0) {
    throw new TouchstoneError("usage", `${sources.length} reports are named, expected two`, {
      hint: "touchstone report diff OLD NEW",
    });
  }
  const { compare, describeDifference } = await import("../../reports/index.ts");
  const difference = compare(older.report, newer.report);
  if (difference.common === 0) {
    throw new TouchstoneError(
      "usage",
      `the reports have no result in common: ${describeSource(older)}, ${describeSource(newer)}`,
      {
        hint: "give two reports of the same protocol and version, and of the same part of it",
      },
    );
  }
  const text =
    json === true
      ? `${escapeInvisibleJson(JSON.stringify(difference, null, 2))}\n`
      : describeDifference(difference, await rulesOf([older.report, newer.report]));
  process.stdout.write(text);
  return difference.exitCode;
}

function describeSource({ file, report }: MergeSource): string {
  const names = report.runs.map(({ protocol, version }) => `${protocol} ${version}`);
  const partialReason = names.length === 0 ? undefined : reasonReportIsPartial(report);
  return `${file} is of ${names.join(" and ") || "nothing"}${partialReason === undefined ? "" : ` (${partialReason})`}`;
}

/** The rules of the protocols that are available here; for other protocols, a report shows only ids. */
async function rulesOf(reports: readonly Report[]): Promise<Rule[]> {
  const { protocolsIn } = await import("../sources/protocols.ts");
  return (await protocolsIn(reports)).flatMap((protocol: Protocol) => protocol.rules);
}

/** Returns a function that finds the place of a vector in the set of a run, if that set is available. */
async function findPlaces(
  sources: readonly MergeSource[],
  folder: string | undefined,
): Promise<import("../../reports/merging/merge.ts").PlaceInSet> {
  const { protocolsIn } = await import("../sources/protocols.ts");
  const protocols = await protocolsIn(sources.map(({ report }) => report));
  const { loadVectors } = await import("../../packs/corpus/index.ts");
  const placesBySet = new Map<string, Map<string, number>>();
  return ({ protocol, version, set }, id) => {
    let places = placesBySet.get(`${protocol}@${version}`);
    if (places === undefined) {
      const protocolOfRun = protocols.find((candidate) => candidate.name === protocol && candidate.version === version);
      const vectorSet = loadVectors(protocolOfRun ?? { name: protocol, version }, folder);
      const ids =
        vectorSet.digest === set.digest ? vectorSet.files.flatMap(({ tests }) => tests.map((vector) => vector.id)) : [];
      places = new Map(ids.map((id, index) => [id, index]));
      placesBySet.set(`${protocol}@${version}`, places);
    }
    return places.get(id);
  };
}

function readText(file: string): string {
  try {
    return readWhole(file === "-" ? 0 : file).toString("utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new TouchstoneError(
      "usage",
      code === "ENOENT" ? `the file "${file}" does not exist` : `"${file}" cannot be read: ${describeReadError(cause)}`,
      { hint: "give a file that --report json=FILE or --report jsonl=FILE has written", cause },
    );
  }
}
