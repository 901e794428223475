import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import {
  type Capability,
  example,
  exitCodes,
  type Protocol,
  parametersEnd,
  type Report,
  type Shard,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { programName } from "../../base/text/program.ts";
import type { LivePage } from "../../reports/ui/live.ts";
import type { Recorder } from "../../running/recordings/write.ts";
import type { Environments } from "../../running/run/scenarios.ts";
import type { SuiteOptions } from "../../running/run/suite.ts";
import type { WaitBounds } from "../../running/scenarios/waiting.ts";
import { defaultConcurrency } from "../../targets/at-once.ts";
import type { CliCommand } from "../command.ts";
import { webServerOf } from "../config/configured-server.ts";
import { splitConfig } from "../config/projects.ts";
import { type BaselineOptions, withBaseline } from "../options/baseline.ts";
import { createEarlyEnd, type EndOptions, retryOf, withEnds } from "../options/early-end.ts";
import { readingHelp, repeatable, wholeNumber } from "../options/parsers.ts";
import { type DetailOptions, withDetail } from "../options/report-detail.ts";
import { withConfiguration, withSelection } from "../options/selection.ts";
import { configFor, placeIn, type RunOptions, type Settings, settingsFrom } from "../options/settings.ts";
import { shard } from "../options/shard.ts";
import { needsConfig, targetFor, withTarget } from "../options/target.ts";
import { announceWaits, formatPaceWait, maxWaitOf, type WaitOptions, withWaits } from "../options/waits.ts";
import type { BaselineGate } from "../output/gate.ts";
import type { Sink } from "../output/sinks.ts";
import { createInterruption } from "../process/interruption.ts";
import { recordedOr, recorderFor } from "../runs/recording.ts";
import { type CommandSubject, subjectOf } from "../sources/subject.ts";

const examples = `
Examples:
  touchstone run ${example.protocol} --module validator.mjs            a validator in JavaScript
  touchstone run ${example.protocol} --command "python3 adapter.py"    in any language, over JSON lines
  touchstone run ${example.protocol} --http http://127.0.0.1:8080 --header "Authorization: Bearer $TOKEN"
  touchstone run --mcp "npx -y some-mcp-server" --tool search    the named tools of an MCP server
  touchstone run ./order --http http://127.0.0.1:8080   a pack of your own, as touchstone generate makes it
  touchstone run                                        what touchstone.config.* says; touchstone init writes one
  touchstone run ${example.protocol} --module validator.mjs --baseline known.json    only new failures fail

A failure shows its rule, the change, the expected and the actual answer, and a command that repeats it.
touchstone explain RULE explains a rule.`;

interface RunCommandOptions extends RunOptions, BaselineOptions, EndOptions, WaitOptions, DetailOptions {
  record?: string;
  shard?: Shard;
  ui?: true;
  watch?: true;
}

export const run: CliCommand = {
  define(command) {
    const collectValues = repeatable((value: string) => value);
    withTarget(
      command.argument(
        "[protocol]",
        "a protocol, name@version, all, the folder of a pack, or an OpenAPI document (default: from the configuration)",
      ),
    );
    withSelection(command, "run", "an id, a document, a path, a rule or a glob")
      .option("--reading <name>", readingHelp, collectValues)
      .option(
        "--shard <i/n>",
        "run part I of N (auto: taken from the CI environment); combine the reports with `report merge`",
        shard,
      )
      .option(
        "--concurrency <n>",
        `vectors at once (default: ${defaultConcurrency.module} for a module, ${defaultConcurrency.http} for HTTP, ${defaultConcurrency.reference} for the reference, ${defaultConcurrency.command} for a command, ${defaultConcurrency.mcp} for MCP)`,
        wholeNumber(1, 1024),
      )
      .option("--timeout <ms>", "milliseconds for one vector (default: 5000)", wholeNumber(1, 3_600_000))
      .option(
        "--seed <n>",
        "seed for the ids and timestamps generated for each request (default: 42; random for --http)",
        wholeNumber(0, 0xffffffff),
      )
      .option("--vectors <dir>", "a vector set other than the built-in one, or the pack's")
      .option("--scenarios", "with --http or --reference: play the protocol's scenarios as well")
      .option(
        "--record <dir>",
        "with --scenarios: record the messages between the parties, one file for each scenario, for `validate --trace`",
      );
    withConfiguration(
      command,
      "configuration file (JSON, YAML, or a module); options given here take precedence (default: touchstone.config.*)",
    )
      .option(
        "--report <format[=file]>",
        "terminal, html, json, jsonl, junit, ctrf, tap, sarif, har, markdown, github or badge; to standard output without a file (repeatable)",
        collectValues,
      )
      .option("--ui", "show the run as a page on this machine, with results as they arrive; stays until interrupted")
      .option("--watch", "with a module: run again when it, its imports or the configuration change, until Ctrl+C")
      .addHelpText("after", examples);
    withEnds(command, "a failing vector or scenario");
    withWaits(command, "with --scenarios");
    withDetail(command);
    withBaseline(command);
  },
  async run([protocolName], flags) {
    const options = flags as RunCommandOptions;
    const projectsCode = await runAllProjects(protocolName, options);
    if (projectsCode !== undefined) return projectsCode;
    const settings = await settingsFrom(protocolName, options);
    if (options.watch === true) return watchRun(settings, options);
    return runOnce(settings, options);
  },
};

/** Everything that is decided before the vectors are read. */
interface Preparation {
  settings: Settings;
  options: RunCommandOptions;
  gate: BaselineGate | undefined;
  environments: Environments | undefined;
  seed: number | undefined;
  sinks: readonly Sink[];
  recorder: Recorder | undefined;
  interruption: ReturnType<typeof createInterruption>;
}

/** Runs once with these settings, and returns the exit code. */
async function runOnce(settings: Settings, options: RunCommandOptions): Promise<number> {
  const preparation = await prepare(settings, options);
  const { protocol, target, config, only } = settings;
  let server: { close(): void } | undefined;
  try {
    // The web server may be the MCP server under test, so it is started before the tools are listed.
    server = await webServerOf(config, preparation.interruption.signal);
    const operations = await chosenOperations(protocol, only);
    const subject = await subjectOf(protocol, target, { operations });
    if (subject === undefined) return exitCodes.usage;
    if (preparation.environments?.sides === "usual") await requireFittingConfig(subject.protocols, settings);
    return await runAndReport(preparation, subject, operations);
  } finally {
    server?.close();
    preparation.interruption.end();
  }
}

async function prepare(settings: Settings, options: RunCommandOptions): Promise<Preparation> {
  const { target, vectors, scenarios, config, only, skip, baseline, file } = settings;
  const { gateOf } = await import("../output/gate.ts");
  const gate = await gateOf(baseline, { ...options, only, skip });
  const { environmentsFor } = await import("../runs/environments.ts");
  const environments = await environmentsFor(target, { scenarios, config });
  if (vectors !== undefined && !existsSync(vectors)) {
    throw new TouchstoneError("usage", `the folder "${vectors}" does not exist`, {
      hint: "--vectors expects the folder of a MANIFEST.json",
    });
  }
  const { sinksOf } = await import("../output/sinks.ts");
  const sinks = sinksOf(settings.report ?? [], {
    "the baseline": baseline,
    "the configuration": file === undefined ? undefined : splitConfig(file).file,
    "the implementation": target.kind === "module" ? target.file : undefined,
  });
  const recorder = await recorderFor(options.record);
  if (recorder !== undefined && environments === undefined)
    throw new TouchstoneError("usage", "--record needs --scenarios", { hint: "add --scenarios" });
  // A live server remembers the keys and ids of earlier runs, so it gets new ones each time. The replay command contains the seed.
  const seed = settings.seed ?? (target.kind === "http" ? randomInt(2 ** 32) : undefined);
  return { settings, options, gate, environments, seed, sinks, recorder, interruption: createInterruption() };
}

/** Throws a usage error for hooks, bounds and options of the configuration that no side of the protocols has. */
async function requireFittingConfig(protocols: readonly Protocol[], { config, file }: Settings): Promise<void> {
  const { mustBeHooks, mustBeOptions } = await import("../../running/scenarios/sides.ts");
  const { mustBeBounds } = await import("../../running/scenarios/bounds.ts");
  const locate = (path: string) => placeIn(file, path);
  await mustBeHooks(protocols, config.hooks ?? {}, locate);
  await mustBeBounds(protocols, config.bounds ?? {}, locate);
  await mustBeOptions(protocols, config.options ?? {}, locate);
}

/** Runs the vectors and scenarios with progress on stderr, and delivers the report. */
async function runAndReport(run: Preparation, subject: CommandSubject, operations?: string[]): Promise<number> {
  const { options, settings, gate, sinks, interruption } = run;
  const { protocols } = subject;
  const { runSuite } = await import("../../running/run/suite.ts");
  const { describeAssumptions } = await import("../../running/run/assumptions.ts");
  const { describeUnsent } = await import("../output/unsent-messages.ts");
  const { missingLine } = await import("../../packs/corpus/index.ts");
  const { openJournal } = await import("../output/sinks.ts");
  const { trackLimitWaits, resultProgressOn } = await import("../output/progress.ts");
  const describeLimits = trackLimitWaits();
  const journal = openJournal(sinks);
  const resultsBar = resultProgressOn(process.stderr, { isQuiet: options.quiet, hasScenarios: settings.scenarios });
  const earlyEnd = createEarlyEnd(options, { failOn: settings.failOn, isKnown: gate?.knows(protocols) });
  const writeNote = (text: string): void => {
    if (options.quiet !== true) process.stderr.write(text);
  };
  const assumptions: Capability[] = [];
  let page: LivePage | undefined;
  try {
    const suiteOptions: SuiteOptions = {
      ...(await suiteOptionsOf(run, subject, operations)),
      target: await targetFor(settings.target, settings.config, resultsBar.slow),
      onStart(plan) {
        journal.onStart(plan);
        page?.onStart(plan);
      },
      onCases: (plannedCases) => {
        writeNote(describeUnsent(plannedCases, settings.target, programName()));
        for (const protocol of protocols) writeNote(missingLine(protocol));
      },
      onPaced: (paced) => writeNote(formatPaceWait(paced)),
      onAssumed: (capabilities) => assumptions.push(...capabilities),
      onProgress(progress) {
        journal.onProgress(progress);
        earlyEnd.count(progress.result);
        page?.onProgress(progress);
        resultsBar.show(progress);
      },
      onPlaying: resultsBar.showScenario,
      signal: AbortSignal.any([interruption.signal, earlyEnd.signal]),
    };
    if (options.ui === true)
      page = await (await import("../output/live-page.ts")).serveLivePage(protocols, suiteOptions);
    const suiteReport = await runSuite(suiteOptions);
    resultsBar.clear();
    const { report, code } = await deliverReport(run, suiteReport, { protocols, page });
    (await import("../output/schema-changes.ts")).printSchemaChanges(report, sinks);
    writeNote(describeAssumptions(assumptions));
    // After an interruption, print the limits even with --quiet: they explain where the time went.
    if (options.quiet !== true || !report.complete) process.stderr.write(describeLimits());
    await page?.until(interruption.signal);
    return subject.exitCodeOf(code);
  } finally {
    await page?.close();
    subject.clear();
    resultsBar.stop();
    earlyEnd.close();
  }
}

/** Collects the options of the suite from settings and command-line options. */
async function suiteOptionsOf(
  { settings, options, environments, seed, recorder }: Preparation,
  subject: CommandSubject,
  operations: string[] | undefined,
): Promise<Omit<SuiteOptions, "target">> {
  const { protocol, target, vectors, timeout, readings, scenarios, config, failOn, concurrency } = settings;
  const { describeCall } = await import("../../results/command-line.ts");
  const retry = retryOf(options, config);
  return {
    protocols: subject.protocols,
    only: operations === undefined ? (settings.only ?? []) : sentDocuments(operations, subject.protocols),
    skip: settings.skip ?? [],
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    ...(retry === undefined ? {} : { retry }),
    ...(seed === undefined ? {} : { seed }),
    ...(subject.vectors === undefined ? {} : { vectors: subject.vectors }),
    ...(vectors === undefined ? {} : { vectors }),
    ...(readings === undefined ? {} : { readings }),
    ...(environments === undefined ? {} : { scenarios: environments }),
    recorder,
    maxWait: maxWaitOf(options),
    onWaiting: (bounds: WaitBounds) => announceWaits(bounds, target),
    ...(failOn === undefined ? {} : { failOn }),
    ...describeCall({
      protocol,
      target,
      seed,
      timeoutMs: timeout,
      vectors,
      readings,
      scenarios,
      concurrency,
      isConfigured: target === config.target,
      config: options.config ?? (scenarios || needsConfig(target, config) ? settings.file : undefined),
    }),
    ...(options.shard === undefined ? {} : { shard: options.shard }),
  };
}

/** Compares a report with the baseline, and writes it. The report is written even if updating the baseline fails. */
async function deliverReport(
  { gate, sinks, recorder, options, interruption }: Preparation,
  suiteReport: Report,
  { protocols, page }: { protocols: readonly Protocol[]; page: LivePage | undefined },
): Promise<{ report: Report; code: number }> {
  const { writeReport } = await import("../output/sinks.ts");
  const rules = protocols.flatMap((protocol) => protocol.rules);
  let report = suiteReport;
  let code: number = exitCodes.internal;
  try {
    report = gate?.({ report: suiteReport, protocols, sinks }) ?? suiteReport;
  } finally {
    page?.ended(report);
    code = recordedOr(recorder, await writeReport(report, rules, sinks, options));
    // From now on an interruption loses nothing: the report is written.
    interruption.markReported();
  }
  return { report, code };
}

/** Runs all projects of a configuration, and returns the exit code; undefined if it has none, or if the command line names a protocol. */
async function runAllProjects(
  protocolName: string | undefined,
  options: RunCommandOptions,
): Promise<number | undefined> {
  if (options.config === false || protocolName !== undefined) return undefined;
  const { config, file } = await configFor(options);
  if (config.projects === undefined || file === undefined) return undefined;
  if (options.watch === true)
    throw new TouchstoneError("usage", "--watch needs a single project", {
      where: file,
      hint: `name one: --config ${file}#${Object.keys(config.projects)[0] ?? "NAME"}`,
    });
  const { runProjects } = await import("../config/project-runs.ts");
  const interruption = createInterruption();
  try {
    return await runProjects(config, file, {
      args: process.argv.slice(2),
      isInTurn: options.updateBaseline === true,
      isQuiet: options.quiet === true,
      signal: interruption.signal,
    });
  } finally {
    interruption.end();
  }
}

/** Runs the command without `--watch` whenever the module or the configuration changes. Throws a usage error for another target. */
async function watchRun({ target, file }: Settings, options: RunCommandOptions): Promise<number> {
  if (target.kind !== "module" || options.ui === true)
    throw new TouchstoneError("usage", "--watch needs a module as its target, and no --ui", {
      hint: "name one with --module; a server must reload its code itself",
    });
  const { importedBy, runAgain, argsWithoutWatch } = await import("../runs/rerun.ts");
  const interruption = createInterruption();
  interruption.markReported();
  const watchedFiles = (): string[] => [...importedBy(target.file), ...(file === undefined ? [] : importedBy(file))];
  try {
    return await runAgain({
      args: argsWithoutWatch(process.argv.slice(2)),
      files: watchedFiles,
      signal: interruption.signal,
    });
  } finally {
    interruption.end();
  }
}

/** The documents of operations that a server is sent: their bodies and their parameters. */
function sentDocuments(operations: readonly string[], protocols: readonly Protocol[]): string[] {
  const names = operations.flatMap((operation) => [operation, `${operation}${parametersEnd}`]);
  const documentNames = protocols.flatMap(({ profile }) =>
    profile.documents.flatMap(({ name, role }) => (role === "entry" && names.includes(name) ? [name] : [])),
  );
  // An empty list would select all documents.
  if (documentNames.length === 0) throw new TouchstoneError("usage", `no vectors are sent to ${operations.join(", ")}`);
  return documentNames;
}

/** The operations of an API description that `--only` names, if it names nothing else. Vectors are then made only for these. */
async function chosenOperations(protocol: string, only: readonly string[] | undefined): Promise<string[] | undefined> {
  const { isDescription, declaresDescription } = await import("../../authoring/openapi/description-names.ts");
  if (only === undefined || !isDescription(protocol) || !declaresDescription(protocol)) return undefined;
  return (await import("../../authoring/openapi/index.ts")).matchOperations(protocol, only);
}
