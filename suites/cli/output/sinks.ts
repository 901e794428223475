import { accessSync, closeSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join, parse, resolve } from "node:path";
import { nearestName, type Report, type Rule, type Run, TouchstoneError } from "../../../schemas/index.ts";
import {
  type Identity,
  identityOf,
  isInPlace,
  placeOf,
  replaceFile,
  writeAll,
  writeWhole,
} from "../../base/process/file-writer.ts";
import { makeFolder } from "../../base/process/folder.ts";
import { linesOf, ownFolder } from "../../packs/corpus/index.ts";
import { type Background, type Format, formats, type RenderOptions } from "../../reports/index.ts";
import { formatFooter, formatHeader, formatResult, jsonl } from "../../reports/jsonl.ts";
import type { Progress, RunPlan } from "../../running/run/suite.ts";
import type { DetailOptions } from "../options/report-detail.ts";
import { codeOf } from "../process/failure.ts";
import { isDescribed, sourcesOf } from "../sources/assertion-places.ts";
import { findOwnPlaces } from "./report-places.ts";
import { inRepository } from "./repository.ts";

/** A report format and the file that it is written to, or standard output. */
export interface Sink {
  format: Format;
  file?: string;
  /** The content before the run: if another process changes it meanwhile, both write the same report. */
  before?: Identity;
  /** The open file with the lines written so far: only the footer is missing. */
  journal?: number;
  /** Why the lines could not be written. */
  broken?: unknown;
}

/** Parses several `FORMAT` or `FORMAT=FILE`; the first format goes to standard output unless another one does. Throws a usage error, before anything is run, for a file that cannot be written, or that is in use: by another report, or by one of `others`, which maps the purpose of each file to its name. */
export function sinksOf(
  reports: readonly string[],
  reservedFiles: Readonly<Record<string, string | undefined>> = {},
): Sink[] {
  const sinks = reports.map(sinkOf);
  mustBeFree(sinks, reservedFiles);
  const onStandardOutput = sinks.filter(({ file }) => file === undefined);
  // Commands of GitHub Actions are lines among others, so they can share the output with lines for people.
  const isBoth =
    onStandardOutput.length === 2 &&
    ["terminal", "github"].every((name) => onStandardOutput.some(({ format }) => format.name === name));
  if (onStandardOutput.length > 1 && !isBoth) {
    throw new TouchstoneError("usage", `${onStandardOutput.length} reports cannot share standard output`, {
      hint: `give all but one a file: --report ${onStandardOutput[1]?.format.name}=FILE`,
    });
  }
  for (const sink of sinks) {
    const { file } = sink;
    if (file === undefined) continue;
    try {
      mustBeWritable(file);
      sink.before = identityOf(file);
    } catch (cause) {
      throw unwritableFile(file, cause);
    }
  }
  return onStandardOutput.length > 0 ? sinks : [{ format: formats[0] as Format }, ...sinks];
}

/** Otherwise only the last report would remain. */
function mustBeFree(sinks: readonly Sink[], reservedFiles: Readonly<Record<string, string | undefined>>): void {
  const takenFiles = new Map<string, string>();
  for (const [purpose, file] of Object.entries(reservedFiles))
    if (file !== undefined) takenFiles.set(placeFile(file), purpose);
  for (const { format, file } of sinks) {
    if (file === undefined) continue;
    const by = takenFiles.get(placeFile(file));
    if (by !== undefined)
      throw new TouchstoneError("usage", `--report ${format.name} would overwrite ${by}`, {
        where: file,
        hint: "give each report a file of its own",
      });
    takenFiles.set(placeFile(file), `the report ${format.name}`);
  }
}

/** Faults of a name are reported when its file is opened. */
function placeFile(file: string): string {
  try {
    return placeOf(file).path;
  } catch {
    return resolve(file);
  }
}

function mustBeWritable(file: string): void {
  const { path, isStream } = placeOf(file);
  makeFolder(dirname(path));
  const isThere = existsSync(path);
  if (isThere && statSync(path).isDirectory()) throw new Error("it is a folder");
  if (isThere) accessSync(path, constants.W_OK);
  // The file is first written beside its place.
  if (!isStream) accessSync(dirname(path), constants.W_OK);
}

function sinkOf(report: string): Sink {
  const equals = report.indexOf("=");
  const name = equals === -1 ? report : report.slice(0, equals);
  const names = formats.map((format) => format.name);
  const format = formats.find((each) => each.name === name);
  if (format === undefined) {
    throw new TouchstoneError("usage", `unknown report format "${name}"`, {
      hint: `${nearestName(name, names)}formats: ${names.join(", ")}`,
    });
  }
  if (equals === -1) return { format };
  const file = report.slice(equals + 1);
  if (file === "")
    throw new TouchstoneError("usage", `--report ${report} names no file`, { hint: `--report ${name}=FILE` });
  return { format, file };
}

/** Writes lines to their files as results arrive, so that a killed run leaves all but the last of them. */
export function openJournal(sinks: readonly Sink[]): {
  onStart(plan: RunPlan): void;
  onProgress(progress: Progress): void;
} {
  const write = (text: string): void => {
    for (const sink of sinks) {
      const { journal: open } = sink;
      if (open !== undefined && sink.broken === undefined) attempt(sink, () => writeAll(open, text));
    }
  };
  return {
    onStart(plan) {
      for (const sink of sinks) {
        const { format, file } = sink;
        if (format === jsonl && file !== undefined) attempt(sink, () => begin(sink, file));
      }
      write(formatHeader(plan));
    },
    onProgress: (progress) => write(formatResult(progress)),
  };
}

/** Replaces the existing file by an empty one, and keeps it open. */
function begin(sink: Sink, file: string): void {
  // Another run has just begun to write there, so this report is written beside it at the end.
  if (!isOurs(sink, file)) return;
  const { open, put } = replaceFile(file);
  sink.journal = open;
  put();
}

/** A failed write is reported at the end: the run continues, and so do its other reports. */
function attempt(sink: Sink, write: () => void): void {
  try {
    write();
  } catch (cause) {
    sink.broken = cause;
  }
}

/** Two runs with one file would each look like the other. */
function isOurs({ before }: Sink, file: string): boolean {
  return identityOf(file) === before;
}

const takenMessage = "another process has written this file since the run began";

/** Keeps a report if its place is in use: the error names the new place. */
function writeBeside(file: string, text: string): never {
  const { dir, name, ext } = parse(file);
  let number = 2;
  const pathBeside = (): string => join(dir, `${name}.${number}${ext}`);
  while (existsSync(pathBeside())) number += 1;
  writeWhole(pathBeside(), text);
  throw new Error(`${takenMessage}; that of this run is ${pathBeside()}: give each run a file of its own`);
}

/** Files that have the complete report, those for people first. */
function writtenIn(sinks: readonly Sink[]): string[] {
  const place = ({ format }: Sink): number => ["html", "markdown", "json", "jsonl"].indexOf(format.name);
  return sinks
    .filter((sink) => sink.file !== undefined && place(sink) !== -1)
    .sort((one, other) => place(one) - place(other))
    .map(({ file }) => file as string);
}

/** Writes a report to all of them, independently, and returns the exit code: that of the report, or that of wrong usage if it would be 0 and one could not be written. Failures are reported on stderr. */
export async function writeReport(
  report: Report,
  rules: readonly Rule[],
  sinks: readonly Sink[],
  { quiet, verbose, again, code = report.exitCode }: DetailOptions & { code?: number },
): Promise<number> {
  let all = code;
  const renderOptions = {
    rules,
    lineOf: linesOf(report),
    inRepository,
    ...(await sourcesOf(report)),
    ...findOwnPlaces(report),
    vectorsOf: ({ options = report.options }: Run) => (isDescribed(options) ? null : ownFolder(options)),
    background: await backgroundFor(report, sinks),
    verbose: verbose === true,
  };
  const unwritten = new Map<Sink, unknown>();
  const deliverTo = (sink: Sink, work: () => void): void => {
    try {
      work();
    } catch (cause) {
      unwritten.set(sink, cause);
    }
  };
  // Files first: the printed text names the existing ones.
  for (const sink of sinks) {
    const { file } = sink;
    if (file !== undefined) deliverTo(sink, () => write(sink, file, report, renderOptions));
  }
  const writtenFiles = writtenIn(sinks.filter((sink) => !unwritten.has(sink)));
  const shownWith = {
    ...renderOptions,
    brief: quiet === true,
    written: writtenFiles,
    colour: process.stdout.isTTY && process.stdout.hasColors(),
    ...(again === undefined ? {} : { again }),
    ...(process.stdout.isTTY ? { columns: process.stdout.columns } : {}),
  };
  for (const sink of sinks)
    if (sink.file === undefined)
      deliverTo(sink, () => void process.stdout.write(sink.format.render(report, shownWith)));
  for (const [{ file }, cause] of unwritten) {
    const failureCode = codeOf(file === undefined ? cause : unwritableFile(file, cause));
    if (all === 0) all = failureCode;
  }
  return all;
}

/** Only the page shows schemas and the parents of vectors. */
async function backgroundFor(report: Report, sinks: readonly Sink[]): Promise<Background[]> {
  if (!sinks.some(({ format }) => format.name === "html")) return [];
  const { backgroundOf } = await import("../../reports/index.ts");
  const { protocolsIn } = await import("../sources/protocols.ts");
  // Since the run, a pack may have been removed or become unreadable: the report is still written.
  return backgroundOf(await protocolsIn([report]).catch(() => []), report);
}

function write(sink: Sink, file: string, report: Report, renderOptions: RenderOptions): void {
  const { format, journal: open, broken } = sink;
  if (open === undefined) {
    if (broken !== undefined) throw broken;
    if (!isOurs(sink, file)) writeBeside(file, format.render(report, renderOptions));
    writeWhole(file, format.render(report, renderOptions));
    return;
  }
  try {
    if (broken !== undefined) throw broken;
    writeAll(open, formatFooter(report));
    if (!isInPlace(open, file)) writeBeside(file, format.render(report, renderOptions));
  } finally {
    closeSync(open);
  }
}

function unwritableFile(file: string, cause: unknown): TouchstoneError {
  return new TouchstoneError("usage", `the report cannot be written: ${(cause as Error).message}`, {
    where: file,
    cause,
  });
}
