import { randomInt } from "node:crypto";
import {
  type Config,
  exitCodes,
  type Protocol,
  protocolNamed,
  type Report,
  type Result,
  type Rule,
  type Scenario,
  type Setting,
  type TargetConfig,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { secretsIn } from "../../base/secrets/index.ts";
import { packOf } from "../../packs/pack/load.ts";
import type { Environments } from "../../running/run/scenarios.ts";
import type { ScenarioRun } from "../../running/scenarios/run.ts";
import type { CliCommand } from "../command.ts";
import { webServerOf } from "../config/configured-server.ts";
import { type BaselineOptions, withBaseline } from "../options/baseline.ts";
import { createEarlyEnd, type EndOptions, retryOf, withEnds } from "../options/early-end.ts";
import { header, httpUrl, repeatable, wholeNumber } from "../options/parsers.ts";
import { type DetailOptions, withDetail } from "../options/report-detail.ts";
import { withConfiguration, withReports, withSelection } from "../options/selection.ts";
import { configFor, placeIn, type RunOptions } from "../options/settings.ts";
import { announceWaits, maxWaitOf, type WaitOptions, withWaits } from "../options/waits.ts";
import { createInterruption } from "../process/interruption.ts";
import { recordedOr, recorderFor } from "../runs/recording.ts";
import { type AgentCommandOptions, playAgent } from "./agent.ts";

const examples = `
Examples:
  touchstone play PROTOCOL --reference                                the built-in implementation, to see how it works
  touchstone play PROTOCOL --side SIDE --http http://127.0.0.1:8080 --config touchstone.config.yaml
  touchstone play PROTOCOL --side SIDE --command "python3 party.py"
  touchstone play PROTOCOL --side SIDE --config touchstone.config.yaml    a party that hooks alone lead to
  touchstone play PROTOCOL --side agent --config agent.yaml          an agent: the suite pushes outcomes to it as its hub

The suite is the other party. Sides, their hooks and options: touchstone play PROTOCOL --sides`;

type PlayFlags = Pick<
  RunOptions,
  "command" | "http" | "reference" | "variant" | "header" | "only" | "skip" | "seed" | "config" | "failOn" | "report"
> &
  BaselineOptions & { side?: string; sides?: true; record?: string } & EndOptions &
  WaitOptions &
  DetailOptions;

export const play: CliCommand = {
  define(command) {
    command
      .argument("[protocol]", "a protocol, name@version, or the folder of a pack (default: the configuration's)")
      .option("--side <name>", "the party to test (default: the first that the protocol names)")
      .option("--sides", "list the parties with their hooks and options")
      .option("--http <url>", "a party that listens at this base URL", httpUrl)
      .option("--command <command>", "a party to start, with messages over its stdin and stdout")
      .option("--reference", "the built-in implementation of that party")
      .option("--variant <name>", "with --reference: a party that breaks a rule")
      .option(
        "--header <header>",
        'with --http: "Name: value", sent with each request (repeatable)',
        repeatable(header),
      );
    withSelection(command, "play").option(
      "--seed <n>",
      "seed of the generated ids; use a new one for each run (default: random)",
      wholeNumber(0, 0xffffffff),
    );
    withConfiguration(command, "hooks, credentials, options: JSON, YAML or a module (default: touchstone.config.*)");
    withReports(command)
      .option(
        "--record <dir>",
        "record the messages between the parties, one file for each scenario, for `validate --trace`",
      )
      .addHelpText("after", examples);
    withEnds(command, "a failing scenario");
    withWaits(command, "scenarios");
    withDetail(command);
    withBaseline(command);
  },
  run: ([protocolName], flags) => playProtocol(protocolName, flags as PlayFlags),
};

/** Plays the scenarios of one side, reports the results, and returns the exit code. */
async function playProtocol(protocolName: string | undefined, options: PlayFlags): Promise<number> {
  const { config, file } = await configFor(options);
  const protocol = protocolNamed(protocolName ?? requireProtocol(config));
  if (options.sides === true) return printSides(protocol);
  const { side, scenarios, advice } = await scenariosOf(protocol, options.side);
  if (scenarios.length === 0 && side === "agent" && (await packOf(protocol)).agent !== undefined)
    return playAgent(protocol.name, agentOptions(options));
  if (scenarios.length === 0) throw noScenariosError(protocol, side);
  const target = targetOf(options, config);
  if (target.kind !== "reference") await requireFittingConfig(protocol, config, { file, side });
  const named = protocolName ?? protocol.name;
  return playSide({ protocol, named, side, scenarios, advice, target, config, file }, options);
}

interface ChosenSide extends ScenariosOfSide {
  protocol: Protocol;
  /** The protocol as it was named in the call. */
  named: string;
  target: ReturnType<typeof targetOf>;
  config: Awaited<ReturnType<typeof configFor>>["config"];
  /** The file of the configuration. */
  file: string | undefined;
}

async function playSide(chosen: ChosenSide, options: PlayFlags): Promise<number> {
  const { protocol, side, scenarios, advice, target, config } = chosen;
  const environments = await environmentsOf(target, config);
  const { only = [], skip = [], seed = randomInt(2 ** 32), failOn = config.failOn } = options;
  const { storySuite } = await import("../../running/scenarios/suite.ts");
  const { boundsIn } = await import("../../running/scenarios/index.ts");
  const { resultProgressOn } = await import("../output/progress.ts");
  const { recorder, isKnown, writeReport } = await prepareOutput(chosen, options);
  const maxWait = maxWaitOf(options);
  const resultsBar = resultProgressOn(process.stderr, { isQuiet: options.quiet });
  const interruption = createInterruption();
  const earlyEnd = createEarlyEnd(options, { failOn, isKnown });
  const signal = AbortSignal.any([interruption.signal, earlyEnd.signal]);
  const retry = retryOf(options, config);
  let partySetting: Partial<Setting> = {};
  const keepSetting = (setting: Setting): void => {
    partySetting = setting;
  };
  let server: { close(): void } | undefined;
  try {
    server = await webServerOf(config, signal);
    const report = await storySuite({
      protocol,
      scenarios,
      only,
      skip,
      advice,
      failOn,
      signal,
      bounds: await boundsIn(protocol, environments.bounds),
      target: { kind: target.kind, name: await nameOf(target, protocol, side) },
      ...(await describePlay(chosen, options, seed)),
      onProgress(progress) {
        earlyEnd.count(progress.result);
        resultsBar.show(progress);
      },
      secrets: () => secretsIn({ ...config, ...partyOf(target), ...partySetting }),
      play: createPlayer({ protocol, side, target, environments }, keepSetting, {
        seed,
        signal,
        recorder,
        maxWait,
        retry: retry === undefined ? undefined : { ...retry, failOn },
        onWaiting: (bounds) => announceWaits(bounds, target),
        onPlaying: resultsBar.showScenario,
      }),
    });
    resultsBar.clear();
    return await writeReport(report);
  } finally {
    resultsBar.stop();
    earlyEnd.close();
    server?.close();
    interruption.end();
  }
}

/** Opens the outputs. The report is written even if the baseline cannot be applied. */
async function prepareOutput({ protocol, file }: ChosenSide, options: PlayFlags) {
  const { gateOf } = await import("../output/gate.ts");
  const { writeReport, sinksOf } = await import("../output/sinks.ts");
  const gate = await gateOf(options.baseline, options);
  const sinks = sinksOf(options.report ?? [], { "the baseline": options.baseline, "the configuration": file });
  const recorder = await recorderFor(options.record);
  return {
    recorder,
    isKnown: gate?.knows([protocol]),
    async writeReport(report: Report): Promise<number> {
      let judgedReport = report;
      let code: number = exitCodes.internal;
      try {
        judgedReport = gate?.({ report, protocols: [protocol], sinks }) ?? report;
      } finally {
        code = recordedOr(recorder, await writeReport(judgedReport, protocol.rules, sinks, options));
      }
      return code;
    },
  };
}

/** Describes the call, so that a report can show how to repeat it. */
async function describePlay({ named, target, config, file }: ChosenSide, options: PlayFlags, seed: number) {
  const { describeCall } = await import("../../results/command-line.ts");
  return describeCall({
    verb: "play",
    protocol: named,
    target,
    seed,
    side: options.side,
    config: options.config ?? file,
    isConfigured: target === config.target,
  });
}

/** The scenarios of a side. For a rule that this side does not test, `advice` names a side that does. */
interface ScenariosOfSide {
  side: string | undefined;
  scenarios: readonly Scenario[];
  advice: (rule: Rule) => string | undefined;
}

/** Loads the scenarios of the requested side, or of the first one. Throws a usage error for a side that the protocol does not have. */
async function scenariosOf(protocol: Protocol, requestedSide: string | undefined): Promise<ScenariosOfSide> {
  const { mustBeSide, ofSide, sidesOf } = await import("../../running/scenarios/index.ts");
  const side = requestedSide ?? sidesOf(protocol)[0];
  if (requestedSide !== undefined) mustBeSide(protocol, requestedSide);
  const { scenarios: loadScenarios } = await packOf(protocol);
  const allScenarios = (await loadScenarios?.())?.scenarios ?? [];
  const scenarios = ofSide(protocol, allScenarios, side);
  const advice = ({ id }: Rule): string | undefined => {
    const otherSide = sidesOf(protocol).find((each) =>
      ofSide(protocol, allScenarios, each).some(({ rules }) => rules.includes(id)),
    );
    return otherSide === undefined ? undefined : `it is played against a ${otherSide}: --side ${otherSide}`;
  };
  return { side, scenarios, advice };
}

/** Throws a usage error for a configuration that does not fit the protocol's hooks, bounds and options. */
async function requireFittingConfig(
  protocol: Protocol,
  config: Config,
  { file, side }: { file: string | undefined; side: string | undefined },
): Promise<void> {
  const { mustBeBounds, mustBeHooks, mustBeOptions } = await import("../../running/scenarios/index.ts");
  const locate = (at: string) => placeIn(file, at);
  await mustBeHooks([protocol], config.hooks ?? {}, locate);
  await mustBeBounds([protocol], config.bounds ?? {}, locate);
  await mustBeOptions([protocol], config.options ?? {}, locate, side);
}

function requireProtocol({ protocol }: Config): string {
  if (protocol !== undefined) return protocol;
  throw new TouchstoneError("usage", "no protocol is named", { hint: "touchstone play PROTOCOL" });
}

/** Prints the parties of a protocol, for users who connect one. */
function printSides({ name, profile }: Protocol): number {
  const lines = Object.entries(profile.sides ?? {}).flatMap(([side, { says, hooks, options = {} }]) => [
    `${side}: one that ${says}`,
    ...Object.entries(hooks).map(([hook, purpose]) => `  hook ${hook}: ${purpose}`),
    ...Object.entries(options).map(([option, { description }]) => `  option ${option}: ${description}`),
  ]);
  process.stdout.write(lines.length === 0 ? `${name} names no party to play against\n` : `${lines.join("\n")}\n`);
  return 0;
}

function noScenariosError(protocol: Protocol, side: string | undefined): TouchstoneError {
  const party = side === undefined ? protocol.name : `the ${side} of ${protocol.name}`;
  return new TouchstoneError("usage", `there are no scenarios for ${party}`, {
    hint: "name a protocol that has some; see `touchstone list rules`",
  });
}

/** Options that cannot be used with an agent. */
const optionsWithoutAgents = ["command", "header", "record", "retry", "deadline", "maxFailures", "maxWait"] as const;

/** Returns the options for the scenarios of an agent. Throws a usage error for an option that cannot be used with one. */
function agentOptions({ side: _, ...options }: PlayFlags): AgentCommandOptions {
  const givenOption = Object.keys(options).find((name) => (optionsWithoutAgents as readonly string[]).includes(name));
  const option = options.wait === false ? "noWait" : givenOption;
  if (option === undefined) return options;
  const flag = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new TouchstoneError("usage", `${flag} cannot be used with an agent that outcomes are pushed to`, {
    hint: "leave it out",
  });
}

/** The party that the options name, or else the one of the configuration. A configuration with hooks needs no other target. */
function targetOf({ http, command, reference, variant, header: headers }: PlayFlags, config: Config): TargetConfig {
  const targets: TargetConfig[] = [
    ...(http === undefined ? [] : [{ kind: "http", url: http } as const]),
    ...(command === undefined ? [] : [{ kind: "command", command } as const]),
    ...(reference === undefined ? [] : [{ kind: "reference", ...(variant === undefined ? {} : { variant }) } as const]),
  ];
  if (targets.length > 1)
    throw new TouchstoneError("usage", `${targets.length} parties are named, expected one`, {
      hint: "give one of --http, --command and --reference",
    });
  if (variant !== undefined && reference === undefined)
    throw new TouchstoneError("usage", "--variant needs --reference", { hint: "name --reference" });
  const target = targets[0] ?? config.target ?? { kind: "hooks" };
  if (target.kind === "module")
    throw new TouchstoneError("usage", "scenarios cannot be played against a module", {
      hint: "name a server with --http or a command with --command",
    });
  if (target.kind === "hooks" && Object.keys(config.hooks ?? {}).length === 0)
    throw new TouchstoneError("usage", "no party is named, and no hook reaches one", {
      hint: "give --http, --command or --reference, or hooks in a configuration",
    });
  if (headers === undefined) return target;
  if (target.kind !== "http")
    throw new TouchstoneError("usage", "--header needs --http", { hint: "leave it out, or name --http" });
  return { ...target, headers: { ...target.headers, ...Object.fromEntries(headers) } };
}

function partyOf(target: TargetConfig): Pick<Setting, "url" | "command" | "headers"> {
  if (target.kind === "command") return { command: target.command };
  if (target.kind !== "http") return {};
  return { url: target.url, ...(target.headers === undefined ? {} : { headers: target.headers }) };
}

async function nameOf(target: TargetConfig, protocol: Protocol, side = "party"): Promise<string> {
  if (target.kind === "http") return (await import("../../base/http/address.ts")).parseAddress(target.url).shown;
  if (target.kind === "command") return target.command;
  if (target.kind !== "reference") return `a ${side} of ${protocol.name}`;
  return target.variant === undefined ? `reference ${side} of ${protocol.name}` : `reference, ${target.variant}`;
}

async function environmentsOf(target: TargetConfig, config: Config): Promise<Environments> {
  const { partyEnvironments, referenceEnvironments } = await import("../../running/run/environments.ts");
  return target.kind === "reference"
    ? referenceEnvironments(target.variant)
    : partyEnvironments(partyOf(target), config);
}

/** The tested party, with the environments of scenarios. */
interface PartyUnderTest {
  protocol: Protocol;
  side: string | undefined;
  target: TargetConfig;
  environments: Environments;
}

/** Creates a function that opens an environment, passes its setting to `onOpened`, and plays scenarios there. */
function createPlayer(
  { protocol, side, target, environments }: PartyUnderTest,
  onOpened: (setting: Setting) => void,
  context: Omit<ScenarioRun, "protocol" | "scenarios" | "setting" | "onResult">,
): (scenarios: readonly Scenario[], onResult: (result: Result) => void) => Promise<void> {
  return async (scenarios, onResult) => {
    const { playScenarios } = await import("../../running/scenarios/index.ts");
    if (target.kind === "http") {
      const { parseAddress, probe } = await import("../../base/http/address.ts");
      await probe(parseAddress(target.url));
    }
    const { setting, close } = await environments.open(protocol, side);
    onOpened(setting);
    try {
      await playScenarios({ protocol, scenarios, setting, ...context, onResult });
    } finally {
      await close();
    }
  };
}
