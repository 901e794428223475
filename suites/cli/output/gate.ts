import { existsSync } from "node:fs";
import { dirname } from "node:path";
import {
  type Baseline,
  exitCodes,
  mustBe,
  type Protocol,
  type Report,
  type Result,
  type Shard,
  sourceAmong,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { writePlainly } from "../../base/process/file-writer.ts";
import { makeFolder } from "../../base/process/folder.ts";
import { programName } from "../../base/text/program.ts";
import { quoteForShell } from "../../base/text/quote.ts";
import { countNoun } from "../../reports/wording/phrases.ts";
import {
  applyBaseline,
  formatList,
  type GateOptions,
  knownResults,
  namesOfResults,
  reasonReportIsPartial,
  type UpdateOptions,
  updateList,
} from "../../results/baseline/index.ts";
import { thisTool } from "../../results/report.ts";
import { type AdditionOptions, readAddition } from "../options/baseline.ts";
import type { DetailOptions } from "../options/report-detail.ts";
import { type Sink, writeReport } from "./sinks.ts";

/** Compares a report with a baseline, and updates the baseline on request. */
export interface BaselineGate {
  (output: { report: Report; protocols: readonly Protocol[]; sinks: readonly Sink[] }): Report;
  /** Returns a function that tells whether the baseline covers a result. */
  knows(protocols: readonly Protocol[]): (result: Result) => boolean;
}

interface GatedOptions extends AdditionOptions {
  updateBaseline?: true;
  /** The selection of a run. */
  only?: readonly string[] | undefined;
  skip?: readonly string[] | undefined;
  shard?: Shard | undefined;
}

/** Compares a report with a baseline, if there is one, and delivers the report even if the baseline cannot be written. */
export async function deliverReport(
  gate: BaselineGate | undefined,
  output: Parameters<BaselineGate>[0],
  options: DetailOptions,
): Promise<number> {
  const rules = output.protocols.flatMap((protocol) => protocol.rules);
  let report = output.report;
  let code: number = exitCodes.internal;
  try {
    report = gate?.(output) ?? report;
  } finally {
    code = await writeReport(report, rules, output.sinks, options);
  }
  return code;
}

/** Creates the gate of a run; undefined without a baseline. Reads the baseline, and throws a usage error for an invalid file. */
export async function gateOf(file: string | undefined, options: GatedOptions): Promise<BaselineGate | undefined> {
  const { updateBaseline: isUpdate = false, reason, owner, expires, flaky, byRule } = options;
  const additionOptions = { reason, owner, expires, flaky, byRule };
  const addition = readAddition(
    Object.fromEntries(Object.entries(additionOptions).filter(([, value]) => value !== undefined)),
  );
  if (file === undefined) {
    if (!isUpdate && addition === undefined) return undefined;
    throw new TouchstoneError("usage", `${isUpdate ? "--update-baseline" : "--reason"} needs --baseline`, {
      hint: "name the baseline file",
    });
  }
  if (addition !== undefined && !isUpdate)
    throw new TouchstoneError("usage", "--reason needs --update-baseline", { hint: "add --update-baseline" });
  if (isUpdate) requireWholeRun(options);
  const list = await readBaseline(file, isUpdate);
  const text = isUpdate ? await layoutFor(file) : undefined;
  const gate: Pick<BaselineGate, "knows"> = {
    knows(protocols) {
      const knows = knownResults(
        list,
        currentDay(),
        namesOfResults(list.entries, (site) => sourceAmong(protocols, site)),
      );
      return (result) => knows(result) !== undefined;
    },
  };
  return Object.assign(({ report, protocols, sinks }: Parameters<BaselineGate>[0]) => {
    const context = { ...gateOptionsFor(list, file, protocols), repair: repairCommand(report, file, sinks) };
    const part = reasonReportIsPartial(report);
    if (isUpdate && part !== undefined) {
      process.stderr.write(`${file} stays as it is: ${part}\n`);
      return applyBaseline(report, context);
    }
    return applyBaseline(
      report,
      isUpdate ? { ...context, list: rewriteBaseline(report, context, { addition, byRule, text }) } : context,
    );
  }, gate);
}

/** The options of a comparison: the baseline, and the protocol data that its entries refer to. */
export function gateOptionsFor(list: Baseline, file: string, protocols: readonly Protocol[]): GateOptions {
  return {
    list,
    file,
    today: currentDay(),
    rules: protocols.flatMap(({ rules }) => rules),
    sourceOf: (site) => sourceAmong(protocols, site),
  };
}

function requireWholeRun({ only = [], skip = [], shard }: Pick<GatedOptions, "only" | "skip" | "shard">): void {
  if (only.length + skip.length === 0 && shard === undefined) return;
  throw new TouchstoneError("usage", "--update-baseline needs a whole run", {
    hint: "leave out --only, --skip and --shard, also in the configuration",
  });
}

/** Reads a baseline. With `mayBeAbsent`, a missing file is an empty baseline. */
export async function readBaseline(file: string, mayBeAbsent: boolean): Promise<Baseline> {
  if (existsSync(file)) {
    const { readTextFile } = await import("../../base/format/file-text.ts");
    const text = await readTextFile(file);
    try {
      mustBe("baseline", file, text);
    } catch (error) {
      if (!(error instanceof TouchstoneError)) throw error;
      const { kind, what, where = file, hint = "", cause } = error;
      const advice = `${programName()} baseline update FILE REPORT --reason "…" writes a whole list, with the digests in "sets"`;
      const laterVersionHint = `this is version ${thisTool.version}: a later one may have written more`;
      throw new TouchstoneError(kind, what, { where, hint: `${hint}\n  ${advice}\n  ${laterVersionHint}`, cause });
    }
    return text.value as unknown as Baseline;
  }
  const { schemaPathFrom } = await import("../../base/format/address.ts");
  if (mayBeAbsent) return { $schema: schemaPathFrom("baseline", file), sets: {}, entries: [] };
  throw new TouchstoneError("usage", "the baseline file does not exist", {
    where: file,
    hint: 'write it with --update-baseline --reason "…", which lists the present failures',
  });
}

/** Updates a baseline from a report, writes it, prints the changes on stderr, and returns it. */
export function rewriteBaseline(
  report: Report,
  context: GateOptions,
  {
    text = formatList,
    ...changes
  }: Pick<UpdateOptions, "addition" | "forNewSet" | "byRule"> & { text?: ListLayout | undefined },
): Baseline {
  const isNew = !existsSync(context.file);
  const { list, added, removed, notAdded: leftOut, unanswered } = updateList(report, { ...context, ...changes });
  writeBaseline(context.file, text(list));
  const leftOutNote =
    leftOut === 0
      ? ""
      : `; ${countNoun(leftOut, "new failure")} not taken in${changes.forNewSet === true ? ", which the old vectors showed as well" : ": say why they are left for now with --reason"}`;
  if (unanswered > 0)
    process.stderr.write(
      `${countNoun(unanswered, "result")} without a usable answer ${unanswered === 1 ? "is" : "are"} not taken in: errors are never listed by this command.\n`,
    );
  process.stderr.write(
    `${context.file}: ${countNoun(list.entries.length, "entry", "entries")}, ${added} added, ${removed} removed${leftOutNote}\n`,
  );
  if (isNew && list.entries.length === 0)
    process.stderr.write(`${context.file} is new, and lists nothing yet: any failure fails a run with it.\n`);
  else if (isNew)
    process.stderr.write(
      `${context.file} is new: it lists each failure by its ${changes.byRule === true ? "rule or assertion" : "id"}, with your reason. Commit it; a run with --baseline ${quoteForShell(context.file)} fails only on what is not in it.\n`,
    );
  return list;
}

/** Converts a list to text. */
export type ListLayout = (list: Baseline) => string;

/** Returns a function that keeps the layout of an existing baseline file; undefined if the file does not exist yet. */
export async function layoutFor(file: string): Promise<ListLayout | undefined> {
  if (!existsSync(file)) return undefined;
  const [{ layOutList }, { readBytes }] = await Promise.all([
    import("../../results/baseline/layout.ts"),
    import("../../base/format/bytes.ts"),
  ]);
  const original = readBytes(file).toString("utf8");
  return (list) => layOutList(list, original, /\.ya?ml$/i.test(file));
}

function writeBaseline(file: string, text: string): void {
  try {
    makeFolder(dirname(file));
    writePlainly(file, text);
  } catch (cause) {
    throw new TouchstoneError("usage", `the baseline cannot be written: ${(cause as Error).message}`, {
      where: file,
      cause,
    });
  }
}

/** Today in UTC, `YYYY-MM-DD`. */
function currentDay(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The command that updates the baseline: from the written report if there is one, otherwise by another run. */
function repairCommand(report: Report, file: string, sinks: readonly Sink[]): string {
  const reportSink = sinks.find((sink) => sink.file !== undefined && /^jsonl?$/.test(sink.format.name));
  if (reportSink?.file !== undefined)
    return `${programName()} baseline update ${quoteForShell(file)} ${quoteForShell(reportSink.file)}`;
  const failOn = report.failOn === undefined || report.failOn === "must" ? "" : ` --fail-on ${report.failOn}`;
  return `${report.command}${failOn} --baseline ${quoteForShell(file)} --update-baseline`;
}
