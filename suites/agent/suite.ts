import {
  type AgentSetting,
  type AgentSide,
  count,
  digestOf,
  type FailOn,
  type Protocol,
  type Report,
  type ReportOptions,
  type Result,
  type Run,
  TouchstoneError,
} from "../../schemas/index.ts";
import { select } from "../corpus/index.ts";
import { addressOf, probe } from "../http/address.ts";
import { heard } from "../results/heard.ts";
import { reportOf, stopwatch } from "../results/report.ts";
import { said } from "../run/result.ts";
import { hider, secretsIn } from "../secrets/index.ts";
import { expectedOfAgent, playAgent } from "./run.ts";

export interface AgentSuiteOptions {
  protocol: Protocol;
  side: AgentSide;
  setting: AgentSetting;
  /** Makes ids differ from those of earlier runs. */
  seed: number;
  /** Ids, paths, rules or globs. */
  only?: readonly string[];
  skip?: readonly string[];
  failOn?: FailOn | undefined;
  /** The command that the report shows, and the same as data. */
  command: string;
  options?: ReportOptions;
  onProgress?: (progress: { protocol: string; result: Result; done: number; total: number }) => void;
  signal?: AbortSignal;
}

/**
 * Plays the scenarios of an agent and reports like a run. Throws a usage error for an address that is none and for an empty selection;
 * an agent that nobody reaches is told in the report.
 */
export async function agentSuite(options: AgentSuiteOptions): Promise<Report> {
  const { protocol, side, setting, only = [], skip = [], failOn, command, signal } = options;
  const times = stopwatch();
  const address = addressOf(setting.url);
  const all = expectedOfAgent(protocol, side.scenarios);
  const chosen = select(all, { only, skip });
  const results: Result[] = [];
  let failure: Run["failure"];
  try {
    await probe(address);
    await play(options, new Map(chosen.map(({ id, scenario }) => [id, scenario.name])), results);
  } catch (error) {
    if (error instanceof TouchstoneError && error.kind !== "target") throw error;
    failure = { stage: "open", message: hider(secretsIn(setting)).text(said(error)) };
  }
  const run: Run = {
    ...{ protocol: protocol.name, version: protocol.version, target: { kind: "http", name: address.shown } },
    // Nothing is stored: the names of what is played stand for it.
    set: { digest: digestOf(all.map(({ id }) => id).join("\n")), count: all.length },
    filter: { only: [...only], skip: [...skip] },
    counts: count(results),
    results,
    ...(failure === undefined ? {} : { failure }),
  };
  const complete = failure === undefined && results.length === chosen.length && signal?.aborted !== true;
  return reportOf({ ...times(), complete, command, options: options.options, failOn, runs: [run] });
}

/** A scenario is played as a whole; of its results those count that are wanted. */
async function play(
  { protocol, side, setting, seed, signal, onProgress }: AgentSuiteOptions,
  wanted: ReadonlyMap<string, string>,
  results: Result[],
): Promise<void> {
  const names = new Set(wanted.values());
  await playAgent({
    ...{ protocol, side, setting, seed, scenarios: side.scenarios.filter(({ name }) => names.has(name)) },
    ...(signal === undefined ? {} : { signal }),
    onResult(all) {
      if (!wanted.has(all.id)) return;
      const result = heard(all, hider(secretsIn(setting)));
      results.push(result);
      onProgress?.({ protocol: protocol.name, result, done: results.length, total: wanted.size });
    },
  });
}
