import { randomInt } from "node:crypto";
import { example, exitCodes } from "../../../schemas/index.ts";
import type { DescribedCall } from "../../results/command-line.ts";
import type { CliCommand } from "../command.ts";
import { readingHelp, repeatable, wholeNumber } from "../options/parsers.ts";
import { type DetailOptions, withDetail } from "../options/report-detail.ts";
import { withConfiguration, withReports, withSelection } from "../options/selection.ts";
import { type RunOptions, settingsFrom } from "../options/settings.ts";
import { needsConfig, targetFor, withTarget } from "../options/target.ts";
import { createInterruption } from "../process/interruption.ts";
import { subjectOf } from "../sources/subject.ts";

const examples = `
Examples:
  touchstone challenge ${example.protocol} --module validator.mjs           vectors that are not published
  touchstone challenge ${example.protocol} --module validator.mjs --seed 7  the same ones again, as a report names them

The vectors are made for this run and not stored, so an implementation cannot be tuned to the published ones.`;

interface ChallengeFlags extends RunOptions, DetailOptions {
  runs?: number;
}

const defaultRuns = 1000;

export const challenge: CliCommand = {
  define(command) {
    const collectTexts = repeatable((value: string) => value);
    withTarget(
      command.argument(
        "[protocol]",
        "a protocol, name@version, all, the folder of a pack, or an OpenAPI document (default: from the configuration)",
      ),
    )
      .option("--seed <n>", "seed of the vectors (default: a new one)", wholeNumber(0, 0x7fffffff))
      .option("--runs <n>", "vectors for each protocol (default: 1000)", wholeNumber(1, 1_000_000));
    withSelection(command, "run")
      .option("--reading <name>", readingHelp, collectTexts)
      .option("--concurrency <n>", "vectors at once", wholeNumber(1, 1024))
      .option("--timeout <ms>", "milliseconds for one vector (default: 5000)", wholeNumber(1, 3_600_000));
    withConfiguration(command, "configuration file; options given here take precedence (default: touchstone.config.*)");
    withReports(command).addHelpText("after", examples);
    withDetail(command);
  },
  run: ([protocolName], flags) => challengeTarget(protocolName, flags as ChallengeFlags),
};

/** Describes the call, so that a report can show how to repeat the run. */
async function describeChallenge(
  { protocol, target, timeout, concurrency, readings, config, file }: Awaited<ReturnType<typeof settingsFrom>>,
  { seed, runs }: { seed: number; runs: number },
): Promise<DescribedCall> {
  const { describeCall } = await import("../../results/command-line.ts");
  return describeCall({
    verb: "challenge",
    protocol,
    target,
    seed,
    timeoutMs: timeout,
    concurrency,
    readings,
    runs,
    isConfigured: target === config.target,
    config: needsConfig(target, config) ? file : undefined,
  });
}

/** Runs vectors of a private set, reports the results, and returns the exit code. */
async function challengeTarget(protocolName: string | undefined, options: ChallengeFlags): Promise<number> {
  // --only and --skip come from the command line alone: the patterns of a configuration are for stored vectors.
  const settings = await settingsFrom(protocolName, options);
  const { protocol, target, concurrency, timeout, readings, failOn, config } = settings;
  const { only = [], skip = [], runs = defaultRuns, seed = randomInt(2 ** 31) } = options;
  const { writeReport, openJournal, sinksOf } = await import("../output/sinks.ts");
  const { privateSet } = await import("../../running/challenge/index.ts");
  const { runSuite } = await import("../../running/run/suite.ts");
  const call = await describeChallenge(settings, { seed, runs });
  const sinks = sinksOf(options.report ?? []);
  const subject = await subjectOf(protocol, target);
  if (subject === undefined) return exitCodes.usage;
  const { protocols } = subject;
  const { progressOn, resultProgressOn } = await import("../output/progress.ts");
  const stages = progressOn(process.stderr, options.quiet);
  const resultsBar = resultProgressOn(process.stderr, { isQuiet: options.quiet });
  const interruption = createInterruption();
  const { signal } = interruption;
  const journal = openJournal(sinks);
  process.stderr.write(`seed ${seed}\n`);
  try {
    const report = await runSuite({
      protocols,
      target: await targetFor(target, config),
      only,
      skip,
      concurrency,
      signal,
      vectors(vectorProtocol) {
        stages.show(`making vectors of ${vectorProtocol.name}`);
        return privateSet(vectorProtocol, { seed, runs, signal });
      },
      ...(timeout === undefined ? {} : { timeoutMs: timeout }),
      ...(readings === undefined ? {} : { readings }),
      // A live server remembers earlier requests, so its ids must be new even if the vectors are made from a given seed.
      seed: target.kind === "http" ? randomInt(2 ** 32) : seed,
      ...(failOn === undefined ? {} : { failOn }),
      ...call,
      onStart(plan) {
        stages.stop();
        journal.onStart(plan);
      },
      onProgress(progress) {
        journal.onProgress(progress);
        resultsBar.show(progress);
      },
    });
    resultsBar.clear();
    const rules = protocols.flatMap((testedProtocol) => testedProtocol.rules);
    return subject.exitCodeOf(await writeReport(report, rules, sinks, options));
  } finally {
    stages.stop();
    resultsBar.stop();
    interruption.end();
    subject.clear();
  }
}
