import { accessSync, closeSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join, parse, resolve } from "node:path";
import { nearestName, type Report, type Rule, type Run, TouchstoneError } from "../../../schemas/index.ts";
import {
  type Identity,
  identityOf,
  isInPlace,
  replaceFile,
  writeAll,
  writeTargetOf,
  writeWhole,
} from "../../base/process/file-writer.ts";
import { makeFolder } from "../../base/process/folder.ts";
import { linesOf, ownFolder } from "../../packs/corpus/index.ts";
import { type Background, type Format, formats, type RenderOptions } from "../../reports/index.ts";
import { formatFooter, formatHeader, formatResult, jsonl } from "../../reports/jsonl.ts";
import type { Progress, RunPlan } from "../../running/run/suite.ts";
import type { DetailOptions } from "../options/report-detail.ts";
import { printError } from "../process/failure.ts";
import { isDescribed, sourcesOf } from "../sources/assertion-places.ts";
import { findOwnPlaces } from "./report-places.ts";
import { pathInRepository } from "./repository.ts";

/** A report format and the file that it is written to, or standard output. */
export interface Sink {
  format: Format;
  file?: string;
  /** The identity of the file before the run. If it differs later, another process has written the same file. */
  identityBefore?: Identity;
  /** The open file with the lines written so far: only the footer is missing. */
  journal?: number;
  /** Why the lines could not be written. */
  writeError?: unknown;
}

/** Parses several `FORMAT` or `FORMAT=FILE`; the first format goes to standard output unless another one does. Throws a usage error, before anything is run, for a file that cannot be written, or that is already used: by another report, or as one of `reservedFiles`, which maps purposes to files. */
export function sinksOf(
  reports: readonly string[],
  reservedFiles: Readonly<Record<string, string | undefined>> = {},
): Sink[] {
  const sinks = reports.map(parseSink);
  rejectOverwriting(sinks, reservedFiles);
  const standardSinks = sinks.filter(({ file }) => file === undefined);
  // GitHub Actions finds its commands among other lines, so they can share standard output with the terminal report.
  const canShare =
    standardSinks.length === 2 &&
    ["terminal", "github"].every((name) => standardSinks.some(({ format }) => format.name === name));
  if (standardSinks.length > 1 && !canShare) {
    throw new TouchstoneError("usage", `${standardSinks.length} reports cannot share standard output`, {
      hint: `give all but one a file: --report ${standardSinks[1]?.format.name}=FILE`,
    });
  }
  for (const sink of sinks) {
    const { file } = sink;
    if (file === undefined) continue;
    try {
      requireWritable(file);
      sink.identityBefore = identityOf(file);
    } catch (cause) {
      throw unwritableFile(file, cause);
    }
  }
  return standardSinks.length > 0 ? sinks : [{ format: formats[0] as Format }, ...sinks];
}

/** Throws a usage error for a report that would overwrite another one, or a reserved file. */
function rejectOverwriting(sinks: readonly Sink[], reservedFiles: Readonly<Record<string, string | undefined>>): void {
  const purposeByFile = new Map<string, string>();
  for (const [purpose, file] of Object.entries(reservedFiles))
    if (file !== undefined) purposeByFile.set(resolvePlace(file), purpose);
  for (const { format, file } of sinks) {
    if (file === undefined) continue;
    const purpose = purposeByFile.get(resolvePlace(file));
    if (purpose !== undefined)
      throw new TouchstoneError("usage", `--report ${format.name} would overwrite ${purpose}`, {
        where: file,
        hint: "give each report a file of its own",
      });
    purposeByFile.set(resolvePlace(file), `the report ${format.name}`);
  }
}

/** Resolves links. A path that cannot be resolved is reported later, when the file is opened. */
function resolvePlace(file: string): string {
  try {
    return writeTargetOf(file).path;
  } catch {
    return resolve(file);
  }
}

function requireWritable(file: string): void {
  const { path, isStream } = writeTargetOf(file);
  makeFolder(dirname(path));
  const exists = existsSync(path);
  if (exists && statSync(path).isDirectory()) throw new Error("it is a folder");
  if (exists) accessSync(path, constants.W_OK);
  // A new version is first written to a temporary file in the same folder.
  if (!isStream) accessSync(dirname(path), constants.W_OK);
}

function parseSink(report: string): Sink {
  const equalsIndex = report.indexOf("=");
  const name = equalsIndex === -1 ? report : report.slice(0, equalsIndex);
  const names = formats.map((format) => format.name);
  const format = formats.find((candidate) => candidate.name === name);
  if (format === undefined) {
    throw new TouchstoneError("usage", `unknown report format "${name}"`, {
      hint: `${nearestName(name, names)}formats: ${names.join(", ")}`,
    });
  }
  if (equalsIndex === -1) return { format };
  const file = report.slice(equalsIndex + 1);
  if (file === "")
    throw new TouchstoneError("usage", `--report ${report} names no file`, { hint: `--report ${name}=FILE` });
  return { format, file };
}

/** Writes JSON lines as results arrive, so that a killed run leaves all complete lines. */
export function openJournal(sinks: readonly Sink[]): {
  onStart(plan: RunPlan): void;
  onProgress(progress: Progress): void;
} {
  const writeLines = (text: string): void => {
    for (const sink of sinks) {
      const { journal: descriptor } = sink;
      if (descriptor !== undefined && sink.writeError === undefined) attempt(sink, () => writeAll(descriptor, text));
    }
  };
  return {
    onStart(plan) {
      for (const sink of sinks) {
        const { format, file } = sink;
        if (format === jsonl && file !== undefined) attempt(sink, () => beginJournal(sink, file));
      }
      writeLines(formatHeader(plan));
    },
    onProgress: (progress) => writeLines(formatResult(progress)),
  };
}

/** Replaces the existing file by an empty one, and keeps it open. */
function beginJournal(sink: Sink, file: string): void {
  // Another run has just begun to write there, so this report is written beside it at the end.
  if (!isUnchanged(sink, file)) return;
  const { descriptor, publish } = replaceFile(file);
  sink.journal = descriptor;
  publish();
}

/** A failed write is reported at the end: the run continues, and so do its other reports. */
function attempt(sink: Sink, write: () => void): void {
  try {
    write();
  } catch (cause) {
    sink.writeError = cause;
  }
}

/** Whether no other process has written the file since the run began. */
function isUnchanged({ identityBefore }: Sink, file: string): boolean {
  return identityOf(file) === identityBefore;
}

const takenMessage = "another process has written this file since the run began";

/** Writes a report to another file, because another process writes to its own. Throws an error with the new name. */
function writeBeside(file: string, text: string): never {
  const { dir, name, ext } = parse(file);
  let suffix = 2;
  const pathBeside = (): string => join(dir, `${name}.${suffix}${ext}`);
  while (existsSync(pathBeside())) suffix += 1;
  writeWhole(pathBeside(), text);
  throw new Error(`${takenMessage}; that of this run is ${pathBeside()}: give each run a file of its own`);
}

/** The files that contain the complete report, those for people first. */
function filesForReaders(sinks: readonly Sink[]): string[] {
  const priority = ({ format }: Sink): number => ["html", "markdown", "json", "jsonl"].indexOf(format.name);
  return sinks
    .filter((sink) => sink.file !== undefined && priority(sink) !== -1)
    .sort((left, right) => priority(left) - priority(right))
    .map(({ file }) => file as string);
}

/**
 * Writes a report to each sink independently, and prints failures on stderr. Returns the exit code of the report. If that is 0 but a sink
 * could not be written, returns the exit code for wrong usage.
 */
export async function writeReport(
  report: Report,
  rules: readonly Rule[],
  sinks: readonly Sink[],
  { quiet, verbose, again, code = report.exitCode }: DetailOptions & { code?: number },
): Promise<number> {
  let exitCode = code;
  const renderOptions = {
    rules,
    lineOf: linesOf(report),
    inRepository: pathInRepository,
    ...(await sourcesOf(report)),
    ...findOwnPlaces(report),
    vectorsOf: ({ options = report.options }: Run) => (isDescribed(options) ? null : ownFolder(options)),
    background: await backgroundFor(report, sinks),
    verbose: verbose === true,
  };
  const failures = new Map<Sink, unknown>();
  const deliverTo = (sink: Sink, work: () => void): void => {
    try {
      work();
    } catch (cause) {
      failures.set(sink, cause);
    }
  };
  // Files first, because the printed report names the written ones.
  for (const sink of sinks) {
    const { file } = sink;
    if (file !== undefined) deliverTo(sink, () => write(sink, file, report, renderOptions));
  }
  const writtenFiles = filesForReaders(sinks.filter((sink) => !failures.has(sink)));
  const printOptions = {
    ...renderOptions,
    brief: quiet === true,
    written: writtenFiles,
    colour: process.stdout.isTTY && process.stdout.hasColors(),
    ...(again === undefined ? {} : { again }),
    ...(process.stdout.isTTY ? { columns: process.stdout.columns } : {}),
  };
  for (const sink of sinks)
    if (sink.file === undefined)
      deliverTo(sink, () => void process.stdout.write(sink.format.render(report, printOptions)));
  for (const [{ file }, cause] of failures) {
    const failureCode = printError(file === undefined ? cause : unwritableFile(file, cause));
    if (exitCode === 0) exitCode = failureCode;
  }
  return exitCode;
}

/** Loads the schemas and the parents of vectors, which only the HTML page shows. */
async function backgroundFor(report: Report, sinks: readonly Sink[]): Promise<Background[]> {
  if (!sinks.some(({ format }) => format.name === "html")) return [];
  const { backgroundOf } = await import("../../reports/index.ts");
  const { protocolsIn } = await import("../sources/protocols.ts");
  // Since the run, a pack may have been removed or become unreadable: the report is still written.
  return backgroundOf(await protocolsIn([report]).catch(() => []), report);
}

function write(sink: Sink, file: string, report: Report, renderOptions: RenderOptions): void {
  const { format, journal: descriptor, writeError } = sink;
  if (descriptor === undefined) {
    if (writeError !== undefined) throw writeError;
    if (!isUnchanged(sink, file)) writeBeside(file, format.render(report, renderOptions));
    writeWhole(file, format.render(report, renderOptions));
    return;
  }
  try {
    if (writeError !== undefined) throw writeError;
    writeAll(descriptor, formatFooter(report));
    if (!isInPlace(descriptor, file)) writeBeside(file, format.render(report, renderOptions));
  } finally {
    closeSync(descriptor);
  }
}

function unwritableFile(file: string, cause: unknown): TouchstoneError {
  return new TouchstoneError("usage", `the report cannot be written: ${(cause as Error).message}`, {
    where: file,
    cause,
  });
}
