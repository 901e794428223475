import { existsSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { Option } from "commander";
import type { JsonObject, Protocol } from "../../../schemas/index.ts";
import { exitCodes } from "../../../schemas/light-entry.ts";
import type { MadeVectors } from "../../authoring/generate/make.ts";
import { settleVectors } from "../../authoring/generate/replaced-vectors.ts";
import type { Formats, PackRequest, Skeleton } from "../../authoring/generate/skeleton.ts";
import { evenStages, stageEndsOf } from "../../authoring/generate/stage-ends.ts";
import type { RequestedSet } from "../../authoring/generate/wanted-set.ts";
import { isDescription } from "../../authoring/openapi/description-names.ts";
import { reportAlive, reportWritten } from "../../base/process/watchdog.ts";
import { escapeInvisible } from "../../base/text/escape.ts";
import { programName } from "../../base/text/program.ts";
import type { CliCommand } from "../command.ts";
import { header, repeatable, wholeNumber } from "../options/parsers.ts";
import { mustBeOneSource } from "../options/vector-sources.ts";
import {
  credentialsFor,
  documentWithoutPath,
  isolatedPercent,
  nextCommands,
  serverAddress,
} from "../output/next-commands.ts";
import type { ProgressDisplay } from "../output/progress.ts";
import { memoryHelp, runGuarded } from "../process/guarded-run.ts";
import type { DocumentSummary } from "../sources/generation.ts";

interface GenerateOptions {
  schema?: string[];
  mcp?: string;
  tool?: string[];
  header?: [name: string, value: string][];
  module?: string;
  ref?: string[];
  sample?: string[];
  only?: string[];
  out?: string;
  name?: string;
  formats?: Formats;
  set?: RequestedSet;
  seed?: number;
  effort?: number;
  deadline?: number;
  memory?: number;
  unguarded?: true;
  ruleFiles?: true;
  newRule?: string;
  least?: true;
  atLeast?: number;
}

/** The effort with --least, and the share of the time limit for reading the operations of a description. */
const [leastEffort, readingShare] = [0.01, 0.4];

const help = `
Examples:
  touchstone generate --schema order.schema.json                                     makes the pack ./order
  touchstone generate --schema order.schema.json --schema receipt.schema.json --out shop    a pack of two documents
  touchstone generate --schema protocol.schema.json#/definitions --sample order=order.json    each definition a document
  touchstone generate --mcp "npx -y some-mcp-server" --out tools     the tools of an MCP server; none is called
  touchstone generate --module schema.ts                                             each schema that it exports a document
  touchstone generate openapi.yaml --out shop                                        a pack of an OpenAPI document
  touchstone generate ./order                                                        its vectors again, with its rules`;

export const generate: CliCommand = {
  define(command) {
    command
      .argument("[pack]", "an existing pack to regenerate, or an OpenAPI or AsyncAPI document to create a pack from")
      .option(
        "--schema <file>",
        "a schema, JSON or YAML, draft-04 to 2020-12, or FILE#/json/pointer (repeatable)",
        repeatable(String),
      )
      .option("--mcp <server>", "the tools of an MCP server, a command or its http(s) address; none is called")
      .option("--tool <name>", "with --mcp: only this tool (repeatable)", repeatable(String))
      .option("--header <header>", 'with --mcp: "Name: value", sent to the address (repeatable)', repeatable(header))
      .option("--module <file>", "a module that exports schemas of Zod, ArkType, Valibot or the like")
      .option("--ref <path>", "a file or folder of schemas that the schema refers to (repeatable)", repeatable(String))
      .option(
        "--sample <file>",
        "a valid message with values to use (DOCUMENT=FILE if there are several documents), or the traffic of a server: a folder of messages or a .har (repeatable)",
        repeatable(String),
      )
      .option(
        "--only <operation>",
        "of an OpenAPI document: only this operation, by operationId, method and path, or glob (repeatable)",
        repeatable(String),
      )
      .option("--out <dir>", "folder of the new pack (default: ./NAME)")
      .option("--name <name>", "name of the protocol (default: from the file's name)")
      .addOption(
        new Option(
          "--formats <meaning>",
          "whether an implementation that ignores the keyword format fails (assert) or only gets warnings (annotate) (default: from the profile of the pack, else annotate, as in 2020-12)",
        ).choices(["assert", "annotate"]),
      )
      .addOption(
        new Option(
          "--set <purpose>",
          "core: a small set that kills each mutant once, with cases of rules and known mistakes, without texts; full: all vectors (default: from the profile of the pack, else full)",
        ).choices(["core", "full"]),
      )
      .option("--seed <n>", "recorded in the files (default: 42)", wholeNumber(0, 0xffffffff))
      .option(
        "--effort <n>",
        "work limit of each stage, in units of about ten seconds; deterministic on all machines (default: until the deadline)",
        wholeNumber(1, 1000),
      )
      .option(
        "--deadline <seconds>",
        "time limit in seconds; writes everything made by then (default: 300)",
        wholeNumber(1, 86_400),
      )
      .option("--memory <mebibytes>", memoryHelp, wholeNumber(128, 1_048_576))
      .option("--unguarded", "run in this process, without time or memory limits")
      .option(
        "--at-least <percent>",
        "fail if a smaller share of the assertions is isolated (an incomplete set does not fail otherwise)",
        wholeNumber(0, 100),
      )
      .option("--rule-files", "of a pack: first write rules.json, scenarios.yaml and the cases in code as rules/*.yaml")
      .option("--new-rule <id>", "of a pack: only write a rule to fill in into its rules/*.yaml")
      .addOption(new Option("--least").hideHelp())
      .addHelpText("after", help);
  },
  async run([pack], flags) {
    const { deadline = 300, memory, unguarded, ...options } = flags as unknown as GenerateOptions;
    mustBeOneSource(pack, options);
    if (options.newRule !== undefined) return writeRule(pack, options.newRule);
    if (options.mcp !== undefined)
      return makeToolsPack(options.mcp, { ...options, deadline, ...(memory === undefined ? {} : { memory }) });
    if (unguarded === true) return makePack(pack, options, deadline);
    // Vectors that were written before the process was stopped are valid, so it only fails if a score is required.
    const code = options.atLeast === undefined ? 0 : exitCodes.violations;
    const limits = { seconds: deadline, ...(memory === undefined ? {} : { memory }) };
    const size = totalSize([...(pack === undefined ? [] : [pack]), ...(options.schema ?? [])]);
    return runGuarded({ ...limits, canReduce: true, partialExitCode: code, bytes: size, settle: settleVectors });
  },
};

/** The total size of files in bytes, each given as FILE or FILE#/json/pointer. Folders and unreadable files count as empty. */
function totalSize(sources: readonly string[]): number {
  const paths = new Set(sources.map((source) => source.replace(/#.*$/, "")));
  return [...paths].reduce((sum, path) => sum + fileSize(path), 0);
}

function fileSize(path: string): number {
  try {
    const stats = statSync(path);
    return stats.isFile() ? stats.size : 0;
  } catch {
    // The command reports the error when it reads the file.
    return 0;
  }
}

async function writeRule(pack: string | undefined, id: string): Promise<number> {
  (await import("../sources/rule-files.ts")).writeNewRule(pack, id);
  return 0;
}

/** Makes a pack of the tools that an MCP server lists, and generates its vectors. */
async function makeToolsPack(
  server: string,
  { tool = ["*"], header: headers = [], out = "./mcp", ...limits }: GenerateOptions,
): Promise<number> {
  const { chooseTools, listTools } = await import("../../authoring/mcp/index.ts");
  const { packFrom } = await import("../sources/subject.ts");
  const source = { server, headers: Object.fromEntries(headers) };
  const refusedTools = await packFrom(chooseTools(await listTools(source), tool, server), source, out);
  const { deadline = 300, memory, seed, effort, set } = limits;
  const numericOptions = Object.entries({ seed, effort, set }).filter(([, value]) => value !== undefined);
  const args = ["generate", out, ...numericOptions.flatMap(([option, value]) => [`--${option}`, String(value)])];
  const code = await runGuarded({
    seconds: deadline,
    canReduce: true,
    partialExitCode: 0,
    args,
    ...(memory === undefined ? {} : { memory }),
  });
  return code === 0 && refusedTools.length > 0 ? exitCodes.violations : code;
}

/** One generation of vectors: the options, and the progress. */
interface Generation {
  pack: string | undefined;
  options: GenerateOptions;
  /** The time limit in seconds. */
  deadline: number;
  stages: ProgressDisplay;
  /** `performance.now()` at its beginning. */
  startedAt: number;
  /** Whether this share of the time is over. */
  isLate(share: number): boolean;
  /** The files of a new pack; undefined for an existing one. */
  skeleton: Skeleton | undefined;
}

async function makePack(pack: string | undefined, options: GenerateOptions, deadline: number): Promise<number> {
  const { progressOn } = await import("../output/progress.ts");
  const progress = progressOn(process.stderr);
  const startedAt = performance.now();
  const isLate = (share: number): boolean => {
    reportAlive();
    return performance.now() - startedAt > deadline * 1000 * share;
  };
  try {
    progress.show("loading");
    if (options.ruleFiles && !options.least) await (await import("../sources/rule-files.ts")).writeRuleFiles(pack);
    const skeleton = await createSkeletonOf(pack, options, { only: options.only, isOver: () => isLate(readingShare) });
    for (const note of skeleton?.notes ?? []) process.stderr.write(`${escapeInvisible(note)}\n`);
    if (skeleton?.plan !== undefined) process.stderr.write(`${escapeInvisible(skeleton.plan)}\n`);
    const generation: Generation = { pack, options, deadline, stages: progress, startedAt, isLate, skeleton };
    const result = await writeVectors(generation);
    if (result.manifest.count === 0) {
      progress.clear();
      process.stderr.write(
        `stopped after ${deadline} s (--deadline) before any valid message was found: nothing is written\n`,
      );
      return exitCodes.violations;
    }
    await reportGeneration(generation, result);
    // The score of a pack that lacks some operations does not count for the whole description.
    const isEnough =
      options.atLeast === undefined ||
      (skeleton?.lateOperations === undefined && isolatedPercent(result.manifest) >= options.atLeast);
    return !isEnough || result.untestable.length > 0 ? exitCodes.violations : 0;
  } finally {
    progress.stop();
  }
}

/** Writes the vectors, after the files of a new pack. If there are no vectors, these files are removed again. */
async function writeVectors({
  pack,
  options,
  deadline,
  stages,
  startedAt: startTime,
  skeleton,
}: Generation): Promise<MadeVectors> {
  const { seed } = options;
  const { makeVectors, doOrUndo, writeTexts } = await import("../../authoring/generate/make.ts");
  const { renderReadme } = await import("../../authoring/generate/readme.ts");
  const folder = skeleton?.folder ?? (pack as string);
  const hasSeveralDocuments = (skeleton?.texts.size ?? 0) > 3 || pack !== undefined;
  /** Writes the README together with the first vectors, so that a pack has it even if the work is stopped. */
  const writeReadme = (protocol: Protocol): void => {
    if (skeleton === undefined || existsSync(join(folder, "README.md"))) return;
    const text = renderReadme(protocol, programName(), options.module === undefined ? pack : undefined);
    writeTexts(folder, new Map([["README.md", text]]));
  };
  const generateVectors = (): Promise<MadeVectors> =>
    makeVectors(
      folder,
      {
        ...(seed === undefined ? {} : { seed }),
        ...(options.set === undefined ? {} : { set: options.set }),
        effort: options.effort ?? (options.least === true ? leastEffort : Number.POSITIVE_INFINITY),
        milliseconds: deadline * 1000 - (performance.now() - startTime),
        onWritten: (protocol, writtenFolder) => {
          writeReadme(protocol);
          reportWritten(writtenFolder);
        },
        watch: ({ stage, done, total }, { length, isAgain, isOver }, document) => {
          const activity = isAgain ? `${stage}, once more with the time that was left` : stage;
          const label = hasSeveralDocuments ? `${document}: ${activity}` : activity;
          stages.show(label, done, total, { isSteady: evenStages.has(stage) });
          const isSkipped = options.least === true && (stage === "mutants" || stage === "texts");
          return !isOver(stageEndsOf(length)[stage] ?? 1) && !isSkipped;
        },
      },
      skeleton && { sampleFile: ({ file }, index) => skeleton.sampleFile?.(file, index), source: skeleton.source },
    );
  return skeleton === undefined ? generateVectors() : doOrUndo(folder, skeleton.texts, generateVectors);
}

/** Prints the result, in one line if there was nothing to do. */
async function reportGeneration(generation: Generation, result: MadeVectors): Promise<void> {
  const { stages, skeleton } = generation;
  if (result.isKept && skeleton?.lateOperations === undefined) {
    stages.clear();
    const folder = escapeInvisible(showPath(result.folder));
    process.stdout.write(`kept: ${folder} is complete for these files and options; delete it to make it again\n`);
    return;
  }
  stages.show("looking for oddities");
  const documents = await lintDocuments(generation, result);
  stages.clear();
  await reportResult(generation, result, documents);
}

/** Lints the schema of each document until the time is over. */
async function lintDocuments(
  { options, deadline, isLate, skeleton }: Generation,
  { protocol, manifest }: MadeVectors,
): Promise<DocumentSummary[]> {
  const { compileModel, lint } = await import("../../../generators/index.ts");
  const isDocumentSchema = ({ $id }: JsonObject): boolean => manifest.documents.some(({ schema }) => schema === $id);
  const isTooLate = () => options.least === true || isLate(stageEndsOf(deadline * 1000).lint ?? 1);
  const documents: DocumentSummary[] = [];
  for (const [index, document] of manifest.documents.entries()) {
    if (isTooLate()) {
      documents.push({ document });
      continue;
    }
    const model = await compileModel(protocol.schemas, document.schema);
    const ownSchemas = protocol.schemas.filter(
      (schema) => schema.$id === document.schema || (index === 0 && !isDocumentSchema(schema)),
    );
    documents.push({
      document,
      findings: lint(model, ownSchemas, { known: document, isLate: isTooLate, isWritten: skeleton?.isWritten }),
    });
  }
  return documents;
}

/** Reports the result, and the next commands. */
async function reportResult(
  { options, skeleton: skeletonOfPack }: Generation,
  result: MadeVectors,
  documents: readonly DocumentSummary[],
): Promise<void> {
  const { protocol, folder, manifest, late: lateDocuments, untestable, unused, unsampled } = result;
  const { sourceIn } = await import("../../../schemas/index.ts");
  const { describeGeneration } = await import("../sources/generation.ts");
  const { describeDisputes } = await import("../../authoring/generate/disputes.ts");
  // An API or a tool has its own examples, so the note about missing samples is only for schemas.
  const isFromSchemas = protocol.profile.documents.every(({ endpoint, tool }) => !endpoint?.described && !tool);
  const notes = [...unused, ...(isFromSchemas && unsampled !== undefined ? [unsampled] : [])];
  for (const note of notes) process.stderr.write(`${escapeInvisible(note)}\n`);
  for (const { tool, why } of untestable)
    process.stderr.write(`${escapeInvisible(`the tool ${tool} cannot be tested, no valid input was found: ${why}`)}\n`);
  if (lateDocuments.length > 0)
    process.stderr.write(`${escapeInvisible(`stopped (--deadline): ${lateDocuments.join(", ")}`)}\n`);
  const isStopped = options.least === true || lateDocuments.length > 0 || skeletonOfPack?.lateOperations !== undefined;
  const seconds = options.least === true ? 0 : Math.round(performance.now() / 1000);
  process.stdout.write(
    describeGeneration({
      folder: showPath(folder),
      manifest,
      disputes: describeDisputes(folder, manifest),
      documents,
      stopped: isStopped ? seconds : undefined,
      late: lateDocuments,
      hasLateOperations: skeletonOfPack?.lateOperations !== undefined,
      source: (location) => skeletonOfPack?.source(location) ?? sourceIn(protocol, location),
      ...(skeletonOfPack?.isWritten === undefined ? {} : { isWritten: skeletonOfPack.isWritten }),
      isLeftOut: skeletonOfPack !== undefined && skeletonOfPack.misread.length > 0,
      next: commandsAfter(protocol),
    }),
  );
}

function commandsAfter({ folder, profile }: Protocol): string[] {
  const hasServer = profile.documents.some(({ endpoint }) => endpoint?.described !== undefined);
  return [
    ...nextCommands(
      relative(process.cwd(), folder),
      documentWithoutPath(profile.documents),
      hasServer ? serverAddress(profile) : undefined,
    ),
    ...credentialsFor(profile.documents),
  ];
}

/** Creates the files of a new pack from schemas or a description; undefined for an existing pack. */
async function createSkeletonOf(
  pack: string | undefined,
  { schema: schemas = [], ref: refs = [], sample: samples = [], name, out, formats, set, module }: GenerateOptions,
  reading: { only: readonly string[] | undefined; isOver: () => boolean },
): Promise<Skeleton | undefined> {
  const packRequest: PackRequest = { schemas, refs, samples, name, out, formats, set };
  if (module !== undefined)
    return (await import("../../authoring/generate/module.ts")).moduleSkeleton(module, packRequest);
  if (pack === undefined) return (await import("../../authoring/generate/skeleton.ts")).createSkeleton(packRequest);
  if (!isDescription(pack)) return undefined;
  const { describeOddity, packFrom } = await import("../../authoring/openapi/index.ts");
  const data = await packFrom(pack, {
    ...(name && { name }),
    ...(out && { out }),
    ...(formats && { formats }),
    ...(set && { set }),
    ...reading,
  });
  (await import("../../authoring/generate/foreign-folder.ts")).refuseForeignFolder(data.folder);
  return {
    ...data,
    ...(data.operations.late !== undefined && { lateOperations: data.operations.late }),
    plan: `plan: ${data.plan.what}; about ${data.plan.time}`,
    notes: [...data.calls, ...data.notes, ...data.oddities.map(describeOddity)],
  };
}

function showPath(folder: string): string {
  const path = relative(process.cwd(), folder);
  return path.startsWith("..") ? folder : path;
}
