import {
  type Capability,
  calledBy,
  type FailOn,
  type HeaderLine,
  type Protocol,
  type Report,
  type ReportOptions,
  type Result,
  type Run,
} from "../../../schemas/index.ts";
import { createHider } from "../../base/secrets/index.ts";
import { withAllRules } from "../../packs/pack/load.ts";
import { describeCall } from "../../results/command-line.ts";
import { reportOf, stopwatch, thisTool } from "../../results/report.ts";
import type { Retry } from "../../results/retry.ts";
import type { ScenarioRun } from "../scenarios/index.ts";
import { assumedCapabilities } from "./assumptions.ts";
import type { RunCase } from "./case.ts";
import { defaultSeed, defaultTimeoutMs, protocolsIn, requireValidOptions } from "./options.ts";
import { type PlannedRun, type PlanOptions, planOf } from "./plan.ts";
import { type Paced, runProtocol } from "./protocol.ts";
import { withScenarios } from "./scenarios.ts";

export interface SuiteOptions extends PlanOptions {
  /** A protocol's name, `name@version`, `all`, the folder of a pack, or a list of these and of loaded protocols. */
  protocols: string | readonly (string | Protocol)[];
  /** The number of questions at once; the target's own number by default. */
  concurrency?: number | undefined;
  /** The time limit for one vector, in milliseconds. */
  timeoutMs?: number;
  /** Further attempts at failures. */
  retry?: Pick<Retry, "count" | "excuses"> | undefined;
  seed?: number;
  /** Records the exchanges between the parties of each scenario. */
  recorder?: ScenarioRun["recorder"];
  /** The maximum total wait of scenarios, in milliseconds, if the target's clock cannot be moved (default: as much as they need). */
  maxWait?: number;
  /** Called before scenarios wait, with the reason. */
  onWaiting?: ScenarioRun["onWaiting"];
  /** Called for each scenario when it begins. */
  onPlaying?: ScenarioRun["onPlaying"];
  /** The command that the report shows and that replays are made from, and the same command as data; by default built from the other options. */
  command?: string;
  options?: ReportOptions;
  /** The lowest level at which a breach fails the run (default: must). */
  failOn?: FailOn;
  /** Called once, before the first question. */
  onStart?: (plan: RunPlan) => void;
  /** Called before the first question with the selected vectors of each protocol. */
  onCases?: (planned: readonly { protocol: Protocol; cases: readonly RunCase[] }[]) => void;
  onProgress?: (progress: Progress) => void;
  /** Called before the first question to a target that publishes how many messages it accepts per minute. */
  onPaced?: (paced: Paced) => void;
  /** Called after each protocol with the assumed claims that mattered, for a target that claims nothing. */
  onAssumed?: (assumed: readonly Capability[]) => void;
  /** Ends the run early: the report has the results so far. */
  signal?: AbortSignal;
}

/** The report of a run that has not begun. */
export type RunPlan = Omit<HeaderLine, "line" | "$schema">;

export interface Progress {
  protocol: string;
  result: Result;
  /** The index of the planned run that the result belongs to, and the index of the result in that run. */
  run: number;
  index: number;
  /** The number of results so far, over all protocols. */
  done: number;
  total: number;
}

/** Runs stored vectors against a target. Throws a TouchstoneError for invalid options, an empty selection or a damaged vector set; the report names a target that cannot be run. */
export async function runSuite(options: SuiteOptions): Promise<Report> {
  requireValidOptions(options);
  const protocols = await Promise.all(protocolsIn(options.protocols).map(withAllRules));
  const timing = stopwatch();
  const plans = await planOf(protocols, options);
  const head = { tool: thisTool, started: timing().started, ...commandOf(options, protocols) };
  options.onStart?.({ ...head, runs: plans.map(runHeadOf) });
  options.onCases?.(plans);
  const { runs, complete } = await runAll(plans, options);
  return reportOf({ ...head, ...timing(), complete, failOn: options.failOn, runs });
}

/** Returns the report of a run before its first result. */
function runHeadOf({ protocol, target, set, filter, readings, shard }: PlannedRun): RunPlan["runs"][number] {
  return {
    protocol: protocol.name,
    version: protocol.version,
    target: { kind: target.kind, name: createHider(target.secrets ?? []).text(target.name) },
    set,
    filter,
    ...(readings === undefined ? {} : { readings }),
    ...(shard === undefined ? {} : { shard }),
  };
}

async function runAll(
  plans: readonly PlannedRun[],
  options: SuiteOptions,
): Promise<{ runs: Run[]; complete: boolean }> {
  const total = plans.reduce((all, { cases, expected }) => all + cases.length + expected.length, 0);
  const runs: Run[] = [];
  let complete = true;
  let done = 0;
  for (const plan of plans) {
    const ids = [...plan.cases.map(({ vector }) => vector.id), ...plan.expected.map(({ id }) => id)];
    const indexById = new Map(ids.map((id, index) => [id, index]));
    const run = runs.length;
    const outcome = await runPlan(plan, options, (result) => {
      done += 1;
      const index = indexById.get(result.id) as number;
      options.onProgress?.({ protocol: plan.protocol.name, result, run, index, done, total });
    });
    runs.push(outcome.run);
    complete &&= outcome.complete;
    if (options.signal?.aborted) break;
  }
  return { runs, complete: complete && runs.length === plans.length };
}

async function runPlan(
  { expected, ...plan }: PlannedRun,
  options: SuiteOptions,
  onResult: (result: Result) => void,
): Promise<{ run: Run; complete: boolean }> {
  const { protocol } = plan;
  const { timeoutMs = defaultTimeoutMs, seed = defaultSeed, signal, concurrency, onPaced, failOn } = options;
  const retry = options.retry === undefined ? undefined : { ...options.retry, failOn };
  const ask = async (): ReturnType<typeof runProtocol> => {
    const protocolRun = await runProtocol({
      ...plan,
      concurrency,
      timeoutMs,
      retry,
      seed,
      signal,
      onResult,
      onPaced,
    });
    const vectors = plan.cases.map(({ vector }) => vector);
    const assumed = assumedCapabilities(protocolRun.run, vectors);
    if (assumed !== undefined) options.onAssumed?.(assumed);
    return protocolRun;
  };
  const { scenarios: environments, recorder, maxWait, onWaiting, onPlaying } = options;
  return withScenarios(ask, {
    protocol,
    expected,
    environments,
    seed,
    signal,
    onResult,
    recorder,
    maxWait,
    retry,
    onWaiting,
    onPlaying,
  });
}

/** Returns the command for the report; empty for a target or vectors that a command line cannot name. */
function commandOf(
  { target, seed, timeoutMs, concurrency, vectors, readings, command, options }: SuiteOptions,
  protocols: readonly Protocol[],
): { command: string; options?: ReportOptions } {
  const isUnnamed = typeof target === "function" || typeof vectors === "function";
  const protocol = protocols.length === 1 ? calledBy(protocols[0] as Protocol) : "all";
  return {
    ...(isUnnamed
      ? { command: "" }
      : describeCall({ protocol, target, seed, timeoutMs, concurrency, vectors, readings: readings && [...readings] })),
    ...(command === undefined ? {} : { command }),
    ...(options === undefined ? {} : { options }),
  };
}
