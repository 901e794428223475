import { randomInt } from "node:crypto";
import { join } from "node:path";
import { InvalidArgumentError } from "commander";
import { example, exitCodes, type Protocol } from "../../../schemas/index.ts";
import { escapeInvisible } from "../../base/text/escape.ts";
import { packOf } from "../../packs/pack/load.ts";
import type { DescribedCall } from "../../results/command-line.ts";
import type { ProtocolFindings } from "../../running/fuzz/index.ts";
import type { CliCommand } from "../command.ts";
import { readingHelp, repeatable, wholeNumber } from "../options/parsers.ts";
import { type DetailOptions, withDetail } from "../options/report-detail.ts";
import { type RunOptions, settingsFrom } from "../options/settings.ts";
import { needsConfig, targetFor, withTarget } from "../options/target.ts";
import { explainMissingDraws } from "../output/draw-count.ts";
import { memoryHelp, runGuarded } from "../process/guarded-run.ts";
import { createInterruption } from "../process/interruption.ts";
import { subjectOf } from "../sources/subject.ts";

const examples = `
Examples:
  touchstone fuzz ${example.protocol} --module validator.mjs --save found         random messages; failures are shrunk and kept
  touchstone run ${example.protocol} --module validator.mjs --vectors found       runs the kept ones again
  touchstone fuzz ${example.protocol} --http http://127.0.0.1:8080 --config hub.json --walks 200
  touchstone fuzz ${example.protocol} --http http://127.0.0.1:8080 --config hub.json --walk "${example.walk}"

A failure names the seed and the path that lead to it again. Walks need the credentials and hooks of a configuration.`;

interface FuzzCommandOptions extends RunOptions, DetailOptions {
  document?: string;
  runs?: number;
  path?: string;
  maxFailures?: number;
  walks?: number;
  walk?: string;
  save?: string;
  deadline?: number;
  memory?: number;
  unguarded?: true;
}

/** The milliseconds that the guarded process gets to finish after the signal. */
const graceMs = 850;

/** The default time limit in seconds: 300, plus a tenth for each message above the default number, and ten for each walk. */
function deadlineFor({ runs = defaultRuns, walks = 0 }: FuzzCommandOptions): number {
  return 300 + Math.ceil(Math.max(0, runs - defaultRuns) / 10) + walks * 10;
}

const defaultRuns = 1000;
const defaultTimeoutMs = 5000;

export const fuzz: CliCommand = {
  define(command) {
    withTarget(
      command.argument(
        "[protocol]",
        "a protocol, name@version, all, the folder of a pack, or an OpenAPI document (default: from the configuration)",
      ),
    )
      .option("--document <name>", "only this document")
      .option(
        "--runs <n>",
        "random messages for each protocol (default: 1000, none with --walks)",
        wholeNumber(0, 10_000_000),
      )
      .option(
        "--walks <n>",
        "with --http or --reference: race conditions, and this many random walks",
        wholeNumber(1, 100_000),
      )
      .option("--walk <file>", "one walk: a file written by --save, or its steps")
      .option("--seed <n>", "seed of all draws (default: random)", wholeNumber(0, 0x7fffffff))
      .option(
        "--path <path>",
        "path of one message of --document, or number of one walk, as printed with a failure",
        parsePath,
      )
      .option("--save <dir>", "write failing messages as a vector set, and failing walks as files")
      .option(
        "--reading <name>",
        readingHelp,
        repeatable((text) => text),
      )
      .option("--max-failures <n>", "stop after this many different failures (default: 10)", wholeNumber(1, 1000))
      .option(
        "--deadline <seconds>",
        "time limit in seconds; writes everything made by then (default: 300, and more for many messages or walks)",
        wholeNumber(1, 86_400),
      )
      .option("--memory <mebibytes>", memoryHelp, wholeNumber(128, 1_048_576))
      .option("--unguarded", "run in this process, without time or memory limits")
      .option("--concurrency <n>", "messages at once", wholeNumber(1, 1024))
      .option("--timeout <ms>", "milliseconds for one message (default: 5000)", wholeNumber(1, 3_600_000))
      .option("--config <file>", "credentials and hooks, as for run (default: touchstone.config.*)")
      .option("--no-config", "ignore configuration files")
      .option(
        "--report <format[=file]>",
        "as for run; to standard output without a file (repeatable)",
        repeatable((text) => text),
      )
      .addHelpText("after", examples);
    withDetail(command);
  },
  run: ([protocolName], flags) => fuzzTarget(protocolName, flags as FuzzCommandOptions),
};

/** Sends random messages to a target, reports the faults, and returns the exit code. */
async function fuzzTarget(protocolName: string | undefined, options: FuzzCommandOptions): Promise<number> {
  const { memory, unguarded, deadline = deadlineFor(options) } = options;
  if (unguarded !== true)
    return runGuarded({ seconds: deadline, grace: graceMs, ...(memory === undefined ? {} : { memory }) });
  const settings = await settingsFrom(protocolName, options);
  const { protocol, target, config, timeout, readings } = settings;
  const { document, path, save, walk, walks } = options;
  const seed = options.seed ?? randomInt(2 ** 31);
  const hasWalks = walks !== undefined || walk !== undefined;
  const runs = options.runs ?? (hasWalks ? 0 : defaultRuns);
  const { maxFailures = 10 } = options;
  const { environmentsFor } = await import("../runs/environments.ts");
  const environments = await environmentsFor(target, { scenarios: hasWalks, config });
  const { writeReport, sinksOf } = await import("../output/sinks.ts");
  const { fuzzSuite } = await import("../../running/fuzz/index.ts");
  const implementation = target.kind === "module" ? target.file : undefined;
  // The reports of a configuration are for `run`, so only files named here are reserved.
  const reservedFiles = { "the configuration": settings.file, "the implementation": implementation };
  const sinks = sinksOf(options.report ?? [], reservedFiles);
  const subject = await subjectOf(protocol, target, { vectors: false });
  if (subject === undefined) return exitCodes.usage;
  const { protocols } = subject;
  const steps = walk === undefined ? undefined : await readSteps(walk, protocols);
  const { resultProgressOn } = await import("../output/progress.ts");
  const resultsBar = resultProgressOn(process.stderr, { isQuiet: options.quiet });
  const interruption = createInterruption();
  const signal = AbortSignal.any([interruption.signal, AbortSignal.timeout(deadline * 1000)]);
  const call = await describeFuzzing(settings, options, { seed, isWalking: hasWalks });
  try {
    const { report, found: findings } = await fuzzSuite({
      protocols,
      target: await targetFor(target, config),
      document,
      readings,
      seed,
      path,
      runs,
      maxFailures,
      concurrency: settings.concurrency,
      timeoutMs: timeout ?? defaultTimeoutMs,
      walks: environments === undefined ? undefined : { environments, walks: walks ?? 1, steps },
      ...call,
      onProgress: (progress) => resultsBar.show(progress),
      signal,
    });
    resultsBar.clear();
    if (signal.aborted && !interruption.signal.aborted)
      process.stderr.write(`stopped after ${deadline} s (--deadline): this is not all\n`);
    const rules = protocols.flatMap((testedProtocol) => testedProtocol.rules);
    const code = await writeReport(report, rules, sinks, options);
    process.stderr.write(`${path === undefined ? explainMissingDraws(report, runs, maxFailures) : ""}seed ${seed}\n`);
    if (save !== undefined)
      for (const file of await saveFound(save, findings, seed)) process.stderr.write(`${escapeInvisible(file)}\n`);
    return subject.exitCodeOf(code);
  } finally {
    resultsBar.stop();
    interruption.end();
    subject.clear();
  }
}

/** Describes the call, so that a report can show how to repeat the run. */
async function describeFuzzing(
  settings: Awaited<ReturnType<typeof settingsFrom>>,
  options: FuzzCommandOptions,
  { seed, isWalking: hasWalks }: { seed: number; isWalking: boolean },
): Promise<DescribedCall> {
  const { protocol, target, config, timeout, readings } = settings;
  const { path, walk, walks } = options;
  const { describeCall } = await import("../../results/command-line.ts");
  const neededFile = hasWalks || needsConfig(target, config) ? settings.file : undefined;
  return describeCall({
    verb: "fuzz",
    protocol,
    target,
    seed,
    timeoutMs: timeout,
    readings,
    walk,
    concurrency: settings.concurrency,
    isConfigured: target === config.target,
    extent: { runs: options.runs, walks, "max-failures": options.maxFailures, path },
    config: options.config === false ? false : neededFile,
  });
}

/** Reads the steps of a walk, with the model of the first protocol that has a model. */
async function readSteps(walk: string, protocols: readonly Protocol[]): Promise<string[] | undefined> {
  const { stepsFrom } = await import("../../running/scenarios/walks/file.ts");
  for (const protocol of protocols) {
    const { walks } = await packOf(protocol);
    if (walks !== undefined) return stepsFrom(walk, (await walks()).walks);
  }
  return undefined;
}

/** Saves the failing messages and walks, and returns the paths of their files. */
async function saveFound(
  folder: string,
  protocolFindings: readonly ProtocolFindings[],
  seed: number,
): Promise<string[]> {
  const { saveFindings, writeWithFolders } = await import("../../running/fuzz/index.ts");
  const { walkText } = await import("../../running/scenarios/walks/file.ts");
  const files: string[] = [];
  for (const { protocol, findings, detours } of protocolFindings) {
    files.push(...(await saveFindings(folder, protocol, findings, seed)));
    for (const detour of detours) {
      const file = join(folder, `walk-${detour.rule}.json`);
      writeWithFolders(file, walkText(protocol, detour, seed));
      files.push(file);
    }
  }
  return files;
}

function parsePath(text: string): string {
  if (!/^\d+(:\d+(x\d{1,4})?)*$/.test(text))
    throw new InvalidArgumentError("It must be numbers with colons between them.");
  return text;
}
