import { randomInt } from "node:crypto";
import {
  calledBy,
  example,
  exitCodes,
  type Protocol,
  type Report,
  type Result,
  type TargetConfig,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { requireAllowedCode } from "../../packs/pack/code.ts";
import { packOf } from "../../packs/pack/load.ts";
import { kindOf } from "../../results/kind.ts";
import type { CliCommand } from "../command.ts";
import { readingHelp, repeatable, wholeNumber } from "../options/parsers.ts";
import { configFor, mcpProtocol, type RunOptions, settingsFrom } from "../options/settings.ts";
import { targetFor, withTarget } from "../options/target.ts";
import { createInterruption } from "../process/interruption.ts";
import type { FormerFailures } from "../runs/former-failures.ts";
import type { CommandSubject } from "../sources/subject.ts";

interface ReplayOptions extends RunOptions {
  protocol?: string;
  from?: string;
}

const help = `
Examples:
  touchstone replay ${example.vector} --module validator.mjs
  touchstone replay ${example.vector} --from report.json    as in that run: server, seed, paths
  touchstone replay ${example.scenario} --http http://127.0.0.1:8080    its name, the last part, is enough

Prints CONFORMS (exit code 0), WARNS (0: no failure of a run either), FAILS (1) or ERROR (3: no usable answer, or not run). FIXED
means that it failed or warned in the report of --from, or in a report that the configuration writes as JSON; STILL FAILING, that it failed.
Without a target, that of touchstone.config.* is used. touchstone explain ID shows the fault of the vector.`;

export const replay: CliCommand = {
  define(command) {
    withTarget(command.argument("<id>", "id of a vector or a scenario, as reports show it"))
      .option("--protocol <name>", "the folder of its pack (default: found by the id)")
      .option("--timeout <ms>", "milliseconds for the vector (default: 5000)", wholeNumber(1, 3_600_000))
      .option(
        "--seed <n>",
        "seed for the ids and timestamps of the request (default: 42; random over HTTP)",
        wholeNumber(0, 0xffffffff),
      )
      .option(
        "--reading <name>",
        readingHelp,
        repeatable((text: string) => text),
      )
      .option("--vectors <dir>", "a vector set other than the built-in one")
      .option(
        "--config <file>",
        "configuration file (JSON, YAML, or a module); options given here take precedence (default: touchstone.config.*)",
      )
      .option("--no-config", "ignore configuration files")
      .option(
        "--from <report>",
        "use the server, seed and paths of the run in this report, and headers from the environment; give a module, a program or a pack with code again",
      )
      .addHelpText("after", help);
  },
  async run([id = ""], flags) {
    const options = flags as ReplayOptions;
    const report = await replayVector(await resolveId(id, options), options);
    const { formerFailures, noFailureOf } = await import("../runs/former-failures.ts");
    const formerResults = await formerFailures(options.from, options);
    const results = report.runs.flatMap((run) => run.results);
    const failure = report.runs.find((run) => run.failure !== undefined)?.failure;
    const { failsRun } = await import("../../results/exit.ts");
    const { resultFacts } = await import("../../reports/wording/phrases.ts");
    const { exchangeFacts } = await import("../../reports/sections/exchanges.ts");
    const { escapeInvisible } = await import("../../base/text/escape.ts");
    const lines = results.flatMap((result) => [
      `${verdictWord(result, failsRun(result, report.failOn), formerResults)}  ${result.id}`,
      `  ${result.description}`,
      ...[...resultFacts(result), ...exchangeFacts(result)]
        .filter(([name]) => result.outcome !== "conforms" || name !== "got")
        .map(([name, text]) => `  ${name.padEnd(8)}  ${text}`),
      ...noFailureOf(result, formerResults).map((line) => `  before    ${line}`),
    ]);
    if (failure !== undefined || results.length === 0) {
      const why = failure === undefined ? "nothing was run" : `failed at ${failure.stage}: ${failure.message}`;
      lines.push(`ERROR  ${id}`, ...why.split("\n").map((line) => `  ${line.trim()}`));
    }
    process.stdout.write(`${lines.map((line) => escapeInvisible(line)).join("\n")}\n`);
    if (results.some((result) => !isUnanswered(result.outcome) && failsRun(result, report.failOn)))
      return exitCodes.violations;
    const isAnswered = results.length > 0 && !results.some(({ outcome }) => isUnanswered(outcome));
    return failure === undefined && isAnswered ? 0 : exitCodes.target;
  },
};

async function replayVector(id: string, { from, protocol: protocolName, ...options }: ReplayOptions): Promise<Report> {
  const isScenario = kindOf(id) !== "vector";
  const allOptions: ReplayOptions =
    from === undefined
      ? options
      : await (await import("../runs/report-options.ts")).optionsFromReport(from, id, options);
  const { protocolOf } = await import("../sources/protocols.ts");
  const reportProtocol = protocolName === undefined ? allOptions.protocol : undefined;
  const tools = (protocolName ?? reportProtocol) === undefined ? await toolsSubject(id, allOptions) : undefined;
  const lookup = { named: protocolName, remembered: reportProtocol, config: allOptions.config, runs: true };
  const protocol = tools?.protocols[0] ?? (await protocolOf(id, lookup));
  requireAllowedCode(protocol);
  const {
    target,
    seed: configuredSeed,
    timeout,
    vectors,
    readings,
    config,
    failOn,
  } = await settingsFrom(calledBy(protocol), allOptions);
  // A live server remembers earlier requests, so it gets new ids.
  const seed = configuredSeed ?? (target.kind === "http" ? randomInt(2 ** 32) : undefined);
  if (isScenario) await requireReplayable(id, protocol, target.kind);
  const { environmentsFor } = await import("../runs/environments.ts");
  const environments = await environmentsFor(target, { scenarios: isScenario, config });
  const { runSuite } = await import("../../running/run/suite.ts");
  const interruption = createInterruption();
  const report = await runSuite({
    protocols: [protocol],
    target: await targetFor(target, config),
    only: [id],
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    ...(seed === undefined ? {} : { seed }),
    ...(vectors === undefined ? {} : { vectors }),
    ...(readings === undefined ? {} : { readings }),
    ...(failOn === undefined ? {} : { failOn }),
    ...(environments === undefined ? {} : { scenarios: environments }),
    signal: interruption.signal,
  }).finally(() => {
    interruption.end();
    tools?.clear();
  });
  const resultCount = report.runs.flatMap((run) => run.results).length;
  if (isScenario || resultCount <= 1) return report;
  throw new TouchstoneError("usage", `"${id}" names ${resultCount} vectors`, {
    hint: `replay repeats one; touchstone run ${calledBy(protocol)} --only ${id} runs all of them`,
  });
}

/** If the id belongs to a vector of an MCP server's tools, makes these vectors again, because they are not stored. */
async function toolsSubject(id: string, options: ReplayOptions): Promise<CommandSubject | undefined> {
  if (!id.startsWith(`${mcpProtocol}/`)) return undefined;
  const { config } = await configFor(options);
  if (options.mcp === undefined && (config.target?.kind !== "mcp" || config.protocol !== undefined)) return undefined;
  const { target } = await settingsFrom(mcpProtocol, options);
  return (await import("../sources/subject.ts")).subjectOf(mcpProtocol, target);
}

/** The id itself, or the id of the scenario with this name. Throws a usage error for a rule (its id has no slashes either), and for an unknown or ambiguous id. */
async function resolveId(id: string, { protocol: protocolName, config }: ReplayOptions): Promise<string> {
  if (id.includes("/")) return id;
  const { availableProtocols } = await import("../sources/protocols.ts");
  const { playableScenarios } = await import("../../reports/explain/index.ts");
  const protocols: Protocol[] = [];
  for await (const protocol of availableProtocols({ named: protocolName, config, runs: true })) {
    if (protocol.rules.some((rule) => rule.id === id))
      throw new TouchstoneError("usage", `"${id}" is a rule; replay expects one vector or scenario`, {
        hint: `touchstone run ${calledBy(protocol)} --only ${id} --scenarios runs all its vectors and scenarios`,
      });
    const hasScenario = (await playableScenarios(protocol)).some(({ name }) => name === id);
    if (hasScenario) protocols.push(protocol);
  }
  // A protocol that extends another one inherits its scenarios. A bare name means the scenario of the extended protocol.
  const candidates = protocols.filter(
    ({ extends: extension }) => !protocols.some(({ name }) => name === extension?.parent.name),
  );
  const [firstId, ...furtherIds] = candidates.map(({ name, version }) => `${name}/${version}/scenarios/${id}`);
  if (furtherIds.length > 0)
    throw new TouchstoneError("usage", `there are ${candidates.length} scenarios "${id}"`, {
      hint: `name one by its id: ${[firstId, ...furtherIds].join(", ")}`,
    });
  if (firstId !== undefined) return firstId;
  throw new TouchstoneError("usage", `"${id}" is not the id of a vector or a scenario`, {
    hint: `an id looks like ${example.vector}, as in reports; touchstone list vectors lists them all`,
  });
}

/** Throws a usage error for a scenario that only `touchstone play` can repeat: one with an agent or another side, or with a command. */
async function requireReplayable(id: string, protocol: Protocol, kind: TargetConfig["kind"]): Promise<void> {
  const [, , , name] = id.split("/");
  const { agent, scenarios } = await packOf(protocol);
  const [defaultSide] = Object.keys(protocol.profile.sides ?? {});
  const { scenarios: allScenarios, takesCommand } = (await scenarios?.()) ?? { scenarios: [] };
  const side = allScenarios.find((scenario) => scenario.name === name)?.side ?? defaultSide;
  const isPlayedByCommand = kind === "command" && takesCommand === true;
  if ((side !== defaultSide || isPlayedByCommand) && kind !== "reference")
    throw new TouchstoneError(
      "usage",
      `"${id}" is played with ${isPlayedByCommand ? "a command" : `the ${side}`} by play`,
      {
        hint: `touchstone play ${calledBy(protocol)}${side === defaultSide ? "" : ` --side ${side}`} --only ${id}${isPlayedByCommand ? " --command CMD" : ""} plays it again`,
      },
    );
  if (!(await agent?.())?.agent.scenarios.some((scenario) => scenario.name === name)) return;
  throw new TouchstoneError("usage", `"${id}" is played with an agent`, {
    hint: `touchstone play ${calledBy(protocol)} --side agent --only ${id} plays it again`,
  });
}

/** The first word of the output. FIXED is only for results that failed or warned in the report, STILL FAILING for results that failed. */
function verdictWord({ id, outcome }: Result, isFailing: boolean, { failed, warned }: FormerFailures): string {
  if (outcome === "conforms") return failed.has(id) || warned.has(id) ? "FIXED" : "CONFORMS";
  if (outcome === "disputed") return "DISPUTED";
  if (isUnanswered(outcome)) return "ERROR";
  if (!isFailing) return "WARNS";
  return failed.has(id) ? "STILL FAILING" : "FAILS";
}

function isUnanswered(outcome: Result["outcome"]): boolean {
  return outcome === "errored" || outcome === "timed-out" || outcome === "skipped";
}
