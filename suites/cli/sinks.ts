import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { closest, type Report, type Rule, TouchstoneError } from "../../schemas/index.ts";
import { type Format, formats } from "../reports/index.ts";
import { footer, header, jsonl, line } from "../reports/jsonl.ts";
import type { Plan, Progress } from "../run/suite.ts";

/** A report format and the file that it goes to; standard output when there is none. */
export interface Sink {
  format: Format;
  file?: string;
  /** The file, open and with the lines that are written so far: it lacks the footer only. */
  journal?: number;
}

/**
 * Reads `FORMAT` or `FORMAT=FILE`, several; the first format goes to standard output unless something else does. Throws a usage error,
 * before anything is run, for a file that cannot be written, or that is taken: by another report, or by one of `others`, which tell
 * what it is by its name.
 */
export function sinksOf(wanted: readonly string[], others: Readonly<Record<string, string | undefined>> = {}): Sink[] {
  const sinks = wanted.map(sinkOf);
  mustBeFree(sinks, others);
  const spoken = sinks.filter(({ file }) => file === undefined);
  if (spoken.length > 1) {
    throw new TouchstoneError("usage", `${spoken.length} reports cannot share standard output`, {
      hint: `give all but one a file: --report ${spoken[1]?.format.name}=FILE`,
    });
  }
  for (const { file } of sinks) if (file !== undefined) written(file, () => mustBeWritable(file));
  return spoken.length === 1 ? sinks : [{ format: formats[0] as Format }, ...sinks];
}

/** What is written last would be all that is left. */
function mustBeFree(sinks: readonly Sink[], others: Readonly<Record<string, string | undefined>>): void {
  const taken = new Map<string, string>();
  for (const [what, file] of Object.entries(others)) if (file !== undefined) taken.set(resolve(file), what);
  for (const { format, file } of sinks) {
    if (file === undefined) continue;
    const by = taken.get(resolve(file));
    if (by !== undefined)
      throw new TouchstoneError("usage", `--report ${format.name} would write over ${by}`, {
        where: file,
        hint: "give each report a file of its own",
      });
    taken.set(resolve(file), `the report ${format.name}`);
  }
}

function mustBeWritable(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const isThere = existsSync(file);
  if (isThere && statSync(file).isDirectory()) throw new Error("it is a folder");
  accessSync(isThere ? file : dirname(file), constants.W_OK);
}

function sinkOf(wanted: string): Sink {
  const equals = wanted.indexOf("=");
  const name = equals === -1 ? wanted : wanted.slice(0, equals);
  const names = formats.map((format) => format.name);
  const format = formats.find((each) => each.name === name);
  if (format === undefined) {
    throw new TouchstoneError("usage", `there is no report format "${name}"`, {
      hint: `${closest(name, names)}formats: ${names.join(", ")}`,
    });
  }
  if (equals === -1) return { format };
  const file = wanted.slice(equals + 1);
  if (file === "")
    throw new TouchstoneError("usage", `--report ${wanted} names no file`, { hint: `--report ${name}=FILE` });
  return { format, file };
}

/** Writes lines to their files as results arrive, so that a run that is killed leaves all but the last of them. */
export function journal(sinks: readonly Sink[]): { onStart(plan: Plan): void; onProgress(progress: Progress): void } {
  const write = (text: string): void => {
    for (const { file = "", journal: open } of sinks)
      if (open !== undefined) written(file, () => writeSync(open, text));
  };
  return {
    onStart(plan) {
      for (const sink of sinks) {
        const { format, file } = sink;
        if (format === jsonl && file !== undefined) written(file, () => (sink.journal = openSync(file, "w")));
      }
      write(header(plan));
    },
    onProgress: (progress) => write(line(progress)),
  };
}

/** Writes a report to all of them. Throws a usage error for a file that cannot be written. */
export function deliver(report: Report, rules: readonly Rule[], sinks: readonly Sink[], brief: boolean): void {
  for (const { format, file, journal: open } of sinks) {
    if (file !== undefined && open !== undefined) {
      written(file, () => writeSync(open, footer(report)));
      closeSync(open);
    } else if (file !== undefined) written(file, () => writeFileSync(file, format.render(report, { rules })));
    else
      process.stdout.write(
        format.render(report, { rules, brief, colour: process.stdout.isTTY && process.stdout.hasColors() }),
      );
  }
}

function written(file: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    throw new TouchstoneError("usage", `the report cannot be written: ${(cause as Error).message}`, {
      where: file,
      cause,
    });
  }
}
