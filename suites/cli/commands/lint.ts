import { Option } from "commander";
import {
  exitCodes,
  fragmentIn,
  fragmentsIn,
  type Json,
  type Misread,
  nearestName,
  type Source,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { reducibleReporter, reportAlive } from "../../base/process/watchdog.ts";
import { escapeInvisible, truncate } from "../../base/text/escape.ts";
import type { CliCommand } from "../command.ts";
import { repeatable, wholeNumber } from "../options/parsers.ts";
import { progressOn } from "../output/progress.ts";
import { printError } from "../process/failure.ts";
import { memoryHelp, runGuarded } from "../process/guarded-run.ts";
import { findLintable, type Lintable } from "../sources/lint-schemas.ts";

interface LintFlags {
  schema?: string[];
  ref?: string[];
  ignore?: string[];
  json?: true;
  deadline?: number;
  memory?: number;
  unguarded?: true;
  least?: true;
}

const help = `
Findings are proven, or shown by an instance: schemas that no value fulfils, assertions that refuse nothing, conditions that are met
without the member that they are about, assertions that are ignored beside a $ref, names that are nearly keywords, formats
that only a later draft has, patterns without an anchor; in an OpenAPI document also members that OpenAPI does not have. All that is
called redundant can be left out together.

Examples:
  touchstone lint order.schema.json
  touchstone lint protocol.schema.json#/definitions/Order
  touchstone lint openapi.yaml      the bodies, parameters and answers of each operation
  touchstone lint schemas            all schemas in a folder and below
  touchstone lint a.schema.json b.schema.json --ref common --json
  touchstone lint order.schema.json --ignore loose-pattern --ignore "redundant: #/properties/id/type"`;

export const lint: CliCommand = {
  define(command) {
    command
      .argument(
        "[schema...]",
        "schemas, JSON or YAML: FILE, FILE#/json/pointer for a part of one, a folder of them, or an OpenAPI or AsyncAPI document",
      )
      .option("--ref <path>", "a file or folder of schemas that the schemas refer to (repeatable)", repeatable(String))
      .option(
        "--ignore <finding>",
        'findings to ignore: a kind, or one finding as printed, "KIND: #/json/pointer" (repeatable)',
        repeatable(String),
      )
      .option("--json", "as a JSON array")
      .option("--deadline <seconds>", "time limit in seconds (default: 300)", wholeNumber(1, 86_400))
      .option("--memory <mebibytes>", memoryHelp, wholeNumber(128, 1_048_576))
      .option("--unguarded", "run in this process, without time or memory limits")
      .addOption(new Option("--schema <file>", "as other commands call it").argParser(repeatable(String)).hideHelp())
      .addOption(new Option("--least").hideHelp())
      .addHelpText("after", help);
  },
  run: (args, flags) => lintSchemas(args, flags as LintFlags),
};

/** Looks for probable mistakes in schemas, prints them, and returns the exit code. */
async function lintSchemas(args: readonly string[], options: LintFlags): Promise<number> {
  const { schema = [], ref: refs = [], ignore = [], json, deadline = 300, memory, unguarded, least } = options;
  const paths = [...args, ...schema];
  if (paths.length === 0)
    throw new TouchstoneError("usage", "no schema is named", { hint: "`lint FILE`, or a folder of schemas" });
  if (unguarded !== true)
    return runGuarded({ seconds: deadline, canReduce: true, ...(memory === undefined ? {} : { memory }) });
  const schedule = scheduleWithin(deadline * 1000 * searchShare, least === true);
  const { lintKinds } = await import("../../../generators/index.ts");
  const { oddityKinds } = await import("../../authoring/openapi/oddities.ts");
  const kinds = [...new Set([...lintKinds, leftOutKind, ...oddityKinds])];
  const ignoredFindings = new Set(ignore.map((finding) => parseIgnored(finding, kinds)));
  const reportedNotes = new Set<string>();
  const progress = progressOn(process.stderr);
  const { files, others: skippedFiles, faults } = await findLintable(paths, refs);
  const lintedSchemas: Linted[] = [];
  const reportCompiled = reducibleReporter(files.length);
  for (const [index, { load, isOneOfMany }] of files.entries()) {
    progress.show("looking for probable mistakes", index, files.length);
    const fileTime = schedule.next(files.length - index);
    if (fileTime === undefined) continue;
    const { isLate, isOver } = fileTime;
    const lintFile = async (): Promise<void> => {
      const loadedSchemas = await load(() => isOver(readingShare));
      for (const [schemaIndex, loadedSchema] of loadedSchemas.entries()) {
        // The first schema is always checked, even if the time is over.
        if (schemaIndex > 0 && isOver(1)) break;
        lintedSchemas.push(...(await lintSchema(loadedSchema, { reportedNotes, isLate, reportCompiled })));
      }
    };
    try {
      await lintFile();
    } catch (error) {
      if (!isOneOfMany || !(error instanceof TouchstoneError)) throw error;
      faults.push(error);
    }
  }
  progress.clear();
  const distinctResults = distinctFindings(lintedSchemas, ignoredFindings);
  const formatJson = (): string =>
    JSON.stringify(
      distinctResults.map(({ result }) => result),
      null,
      2,
    );
  process.stdout.write(json === true ? `${formatJson()}\n` : formatFindings(distinctResults, faults.length));
  if (skippedFiles.length > 0) process.stderr.write(`${escapeInvisible(describeSkipped(skippedFiles))}\n`);
  for (const fault of faults) printError(fault);
  const stopReason = schedule.stopReason();
  if (stopReason !== undefined) process.stderr.write(`Incomplete: ${stopReason}. Give it longer with --deadline.\n`);
  progress.stop();
  if (faults.length > 0) return exitCodes.usage;
  return distinctResults.length > 0 || stopReason !== undefined ? exitCodes.violations : 0;
}

interface SchemaContext {
  /** The notes that were printed for earlier schemas. */
  reportedNotes: Set<string>;
  isLate(): boolean;
  /** Reports that the schema is compiled, so that only the search is left. */
  reportCompiled(): void;
}

/** Lints one schema, and prints the notes on it that were not printed for earlier schemas. */
async function lintSchema(
  { entry, schemas, source, notes, misread, isWritten = () => true, oddities = [] }: Lintable,
  { reportedNotes, isLate, reportCompiled }: SchemaContext,
): Promise<Linted[]> {
  const { compileModel, lint: findingsOf, sites } = await import("../../../generators/index.ts");
  const misreadNotes = new Set(misread.map(({ note }) => note));
  for (const note of notes)
    if (!reportedNotes.has(note) && !misreadNotes.has(note)) process.stderr.write(`${escapeInvisible(note)}\n`);
  for (const note of notes) reportedNotes.add(note);
  const model = await compileModel(schemas, entry);
  reportCompiled();
  const findings = findingsOf(model, schemas, { isLate, isWritten });
  const writtenSites = sites(model).flatMap(({ location }) => (isWritten(location) ? [location] : []));
  return [
    { findings: [...misread.map(placeMisread), ...oddities.map(placeFinding)], needed: [] },
    placeFindings(findings, writtenSites, source),
  ];
}

/** The share of the time limit for the search; the rest is for the output. */
const searchShare = 0.9;

/** The share of a file's time for reading the operations of a description. */
const readingShare = 0.4;

/** The time for one file. */
interface FileTime {
  /** Whether to stop searching. */
  isLate(): boolean;
  /** Whether this share of the time is over, even if only the least work is done. */
  isOver(share: number): boolean;
}

interface FileSchedule {
  /** The time for the next file; undefined if there is none left. */
  next(turnsLeft: number): FileTime | undefined;
  /** Describes the work that was not done, if any. */
  stopReason(): string | undefined;
}

/** Divides a time limit in milliseconds among files: each may use up to three times its share of the remaining time. With `isLeast`, every search is cut. */
function scheduleWithin(milliseconds: number, isLeast: boolean): FileSchedule {
  const startedAt = performance.now();
  let cutCount = 0;
  let skippedCount = 0;
  return {
    next(turnsLeft) {
      const turnStart = performance.now();
      const timeLeft = startedAt + milliseconds - turnStart;
      if (timeLeft <= 0) {
        skippedCount += 1;
        return undefined;
      }
      const turnLength = timeLeft * Math.min(1, 3 / turnsLeft);
      let wasCut = false;
      const markCut = (isOver: boolean): boolean => {
        reportAlive();
        if (isOver && !wasCut) {
          wasCut = true;
          cutCount += 1;
        }
        return isOver;
      };
      const isOver = (share: number): boolean => markCut(performance.now() > turnStart + turnLength * share);
      return { isOver, isLate: () => markCut(isLeast) || isOver(1) };
    },
    stopReason() {
      if (cutCount + skippedCount === 0) return undefined;
      const files = (count: number): string => `${count} ${count === 1 ? "file" : "files"}`;
      const parts = [
        ...(cutCount > 0 ? [`stopped (--deadline) in ${files(cutCount)}`] : []),
        ...(skippedCount > 0 ? [`${files(skippedCount)} not checked`] : []),
      ];
      return parts.join(", ");
    },
  };
}

interface LintResult {
  at: string;
  kind: string;
  why: string;
  example?: Json;
}

/** A finding with its place. Findings with the same `where` and kind are duplicates. */
interface PlacedFinding {
  result: LintResult & Partial<Source>;
  where: string;
  what: string;
  line: string;
}

interface Linted {
  findings: PlacedFinding[];
  /** The places of the assertions that are not redundant in this schema. */
  needed: string[];
}

/** Adds to each finding its place in the file, and lists the assertions that are not redundant. */
function placeFindings(
  findings: readonly LintResult[],
  writtenSites: readonly string[],
  source: (location: string) => Source | undefined,
): Linted {
  const redundant = new Set(findings.flatMap(({ at, kind }) => (kind === "redundant" ? [at] : [])));
  return {
    needed: writtenSites.filter((at) => !redundant.has(at)).map((at) => placeOf(at, source)),
    findings: findings.map((finding) => {
      const place = source(finding.at);
      const where = placeOf(finding.at, source);
      const what = `${finding.kind}: ${fragmentIn(finding.at, place)}`;
      const example = finding.example === undefined ? "" : `; such as ${JSON.stringify(finding.example)}`;
      const why = fragmentsIn(finding.why, finding.at, source);
      const line = `${place === undefined ? "" : `${where} `}${what} ${why}${example}`;
      return { result: { ...finding, why, ...(place === undefined ? {} : place) }, where, what, line };
    }),
  };
}

/** The kind of a finding about a keyword that is ignored, because the dialect does not allow its value. */
const leftOutKind = "left-out";

/** Converts an ignored keyword to a finding. */
function placeMisread({ note: _, ...misread }: Misread): PlacedFinding {
  return placeFinding({ ...misread, kind: leftOutKind });
}

/** Formats a finding that already has its place. */
function placeFinding(result: LintResult & Source): PlacedFinding {
  const { at, kind, why, file, line, column } = result;
  const [where, what] = [`${file}:${line}:${column}`, `${kind}: ${at}`];
  return { result, where, what, line: `${where} ${what} ${why}` };
}

/** Removes duplicates of findings in shared schemas. An assertion is redundant only if it is so in all schemas that share it. */
function distinctFindings(linted: readonly Linted[], ignoredFindings: ReadonlySet<string>): PlacedFinding[] {
  const needed = new Set(linted.flatMap((schema) => schema.needed));
  const byKey = new Map<string, PlacedFinding>();
  for (const { findings } of linted)
    for (const finding of findings) {
      const { result, where, what } = finding;
      const key = `${where} ${result.kind}`;
      if (byKey.has(key) || ignoredFindings.has(result.kind) || ignoredFindings.has(what)) continue;
      if (result.kind === "redundant" && needed.has(where)) continue;
      byKey.set(key, finding);
    }
  return [...byKey.values()];
}

function formatFindings(findings: readonly PlacedFinding[], faults: number): string {
  const unreadNote = faults === 0 ? "" : `, and ${faults} ${faults === 1 ? "file" : "files"} cannot be read`;
  const nothing = faults === 0 ? "Nothing odd was found." : `Nothing odd was found${unreadNote}.`;
  const count = `${findings.length} ${findings.length === 1 ? "place" : "places"} to look at${unreadNote}.`;
  const lines = [...findings.map(({ line }) => line), findings.length === 0 ? nothing : count];
  return `${lines.map((line) => truncate(escapeInvisible(line), 500)).join("\n")}\n`;
}

/** The maximum number of skipped files that are listed. */
const maxNamed = 10;

function describeSkipped(skippedFiles: readonly string[]): string {
  const hiddenNames = skippedFiles.length > maxNamed ? `, and ${skippedFiles.length - maxNamed} more` : "";
  const why = "no $schema or $id, and not called NAME.schema.json";
  return `ignored, since nothing shows that it is a schema (${why}): ${skippedFiles.slice(0, maxNamed).join(", ")}${hiddenNames}`;
}

/** Parses --ignore: a kind of finding, or one finding as printed. Throws a usage error for an unknown kind. */
function parseIgnored(value: string, kinds: readonly string[]): string {
  const [, kind = value, at] = /^([^:]*):\s*(#.*)$/.exec(value) ?? [];
  if (!kinds.includes(kind))
    throw new TouchstoneError("usage", `unknown kind of finding "${kind}"`, {
      where: "--ignore",
      hint: `${nearestName(kind, kinds)}there are: ${kinds.join(", ")}`,
    });
  return at === undefined ? kind : `${kind}: ${at}`;
}

function placeOf(at: string, source: (location: string) => Source | undefined): string {
  const place = source(at);
  return place === undefined ? at : `${place.file}:${place.line}:${place.column}`;
}
