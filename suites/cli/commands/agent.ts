import { randomBytes, randomInt } from "node:crypto";
import {
  type AgentSetting,
  type AgentSide,
  type Config,
  example,
  type Protocol,
  protocolNamed,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { packOf } from "../../packs/pack/load.ts";
import type { CliCommand } from "../command.ts";
import { type BaselineOptions, withBaseline } from "../options/baseline.ts";
import { httpUrl, wholeNumber } from "../options/parsers.ts";
import { type DetailOptions, withDetail } from "../options/report-detail.ts";
import { withConfiguration, withReports, withSelection } from "../options/selection.ts";
import { configFor, type RunOptions } from "../options/settings.ts";
import { createInterruption } from "../process/interruption.ts";

const examples = `
Examples:
  touchstone play ${example.protocol} --side agent --http http://127.0.0.1:7000/callback --config agent.yaml
  touchstone play ${example.protocol} --side agent --config agent.yaml --only ${example.agentRule}
  touchstone play ${example.protocol} --side agent --config agent.yaml --baseline known-of-agent.json    only new failures fail

The suite acts as the hub: it pushes correctly and incorrectly signed outcomes to the agent's callback. The configuration has the key:

  agent:
    url: http://127.0.0.1:7000/callback
    key: { alg: hmac-sha256, secret: "\${CALLBACK_SECRET}" }
  hooks:                                                          without hooks only the agent's answers are judged
    expect: { http: { url: "http://127.0.0.1:7000/expect" } }     the agent waits for the outcome of this message
    acted: { http: { method: GET, url: "http://127.0.0.1:7000/acted" } }     its actions`;

export type AgentCommandOptions = Pick<
  RunOptions,
  "http" | "reference" | "variant" | "only" | "skip" | "seed" | "config" | "failOn" | "report"
> &
  BaselineOptions &
  DetailOptions;

export const agent: CliCommand = {
  define(command) {
    command
      .argument("[protocol]", "a protocol or name@version that has scenarios of agents", example.protocol)
      .option("--http <url>", "the agent's callback URL exactly as registered at its hub: this text is signed", httpUrl)
      .option("--reference", "the built-in agent")
      .option("--variant <name>", "with --reference: an agent that breaks a rule");
    withSelection(command, "play").option(
      "--seed <n>",
      "seed of the generated ids; use a new one for each run (default: random)",
      wholeNumber(0, 0xffffffff),
    );
    withConfiguration(command, "key and hooks: JSON, YAML or a module (default: touchstone.config.*)");
    withReports(command).addHelpText("after", examples);
    withDetail(command);
    withBaseline(command);
  },
  run: ([protocolName], flags) => playAgent(protocolName, flags as AgentCommandOptions),
};

/** Acts as the hub of an agent, reports the results, and returns the exit code. Throws a usage error for a protocol without scenarios for agents. */
export async function playAgent(
  protocolName: string = example.protocol,
  options: AgentCommandOptions,
): Promise<number> {
  const protocol = protocolNamed(protocolName);
  if (options.variant !== undefined && options.reference === undefined)
    throw new TouchstoneError("usage", "--variant needs --reference", { hint: "name --reference" });
  const side = await agentSideOf(protocol);
  const { config, file } = await configFor(options);
  const referenceParty = options.reference === undefined ? undefined : await referenceAgent(side, options);
  const setting = referenceParty?.setting ?? agentSetting(config, options.http);
  const { only = [], skip = [], seed = randomInt(2 ** 32), failOn = config.failOn } = options;
  const { deliverReport, gateOf } = await import("../output/gate.ts");
  const gate = await gateOf(options.baseline, options);
  const { sinksOf } = await import("../output/sinks.ts");
  const { agentSuite } = await import("../../running/agent/index.ts");
  const { describeCall } = await import("../../results/command-line.ts");
  const sinks = sinksOf(options.report ?? [], { "the baseline": options.baseline, "the configuration": file });
  const resultsBar = (await import("../output/progress.ts")).resultProgressOn(process.stderr, {
    isQuiet: options.quiet,
  });
  const interruption = createInterruption();
  try {
    const report = await agentSuite({
      protocol,
      side,
      setting,
      seed,
      only,
      skip,
      failOn,
      ...describeCall({
        verb: "agent",
        protocol: protocol.name,
        seed,
        config: file,
        isConfigured: options.http === undefined && referenceParty === undefined,
        target:
          referenceParty === undefined
            ? { kind: "http", url: setting.url }
            : { kind: "reference", ...(options.variant === undefined ? {} : { variant: options.variant }) },
      }),
      onProgress: (progress) => resultsBar.show(progress),
      onPlaying: resultsBar.showScenario,
      signal: interruption.signal,
    });
    resultsBar.clear();
    return await deliverReport(gate, { report, protocols: [protocol], sinks }, options);
  } finally {
    resultsBar.stop();
    interruption.end();
    await referenceParty?.close();
  }
}

/** Returns the agent side of a protocol. Throws a usage error if the protocol has no scenarios for agents. */
async function agentSideOf(protocol: Protocol): Promise<AgentSide> {
  const { agent } = await packOf(protocol);
  if (agent === undefined)
    throw new TouchstoneError("usage", `there are no scenarios for agents of ${protocol.name}`, {
      hint: `name a protocol that has them, such as ${example.protocol}`,
    });
  return (await agent()).agent;
}

/** Starts the reference agent on a loopback port, with a random secret. */
async function referenceAgent(side: AgentSide, { http, variant }: AgentCommandOptions): ReturnType<AgentSide["serve"]> {
  if (http !== undefined)
    throw new TouchstoneError("usage", "2 parties are named, expected one", {
      hint: "give one of --http and --reference",
    });
  return side.serve(
    { alg: "hmac-sha256", secret: randomBytes(32).toString("hex") },
    variant === undefined ? {} : { variant },
  );
}

function agentSetting(
  { agent: agentConfig, hooks = {}, timeScale }: Config,
  givenUrl: string | undefined,
): AgentSetting {
  const url = givenUrl ?? agentConfig?.url;
  if (url === undefined)
    throw new TouchstoneError("usage", "no agent is named", { hint: "name its callback: --http URL" });
  if (agentConfig === undefined)
    throw new TouchstoneError("usage", "there is no key to sign with", {
      hint: 'a configuration has it: { "agent": { "key": { "alg": "hmac-sha256", "secret": … } } }',
    });
  const { expect, acted, submit, restart } = hooks;
  return {
    url,
    key: agentConfig.key,
    ...(agentConfig.id === undefined ? {} : { agent: agentConfig.id }),
    ...(timeScale === undefined ? {} : { timeScale }),
    hooks: {
      ...(expect && { expect }),
      ...(acted && { acted }),
      ...(submit && { submit }),
      ...(restart && { restart }),
    },
  };
}
