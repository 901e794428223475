import { randomInt } from "node:crypto";
import {
  count,
  digestOf,
  type Protocol,
  type Report,
  type ReportOptions,
  type Result,
  type Run,
  readingsOf,
  type Target,
  type TargetConfig,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { createHider, secretsIn } from "../../base/secrets/index.ts";
import { packOf } from "../../packs/pack/load.ts";
import { messageOf } from "../../results/error-message.ts";
import { boundResult } from "../../results/reason-text.ts";
import { reportOf, stopwatch } from "../../results/report.ts";
import { targetFrom } from "../../targets/index.ts";
import type { Environments } from "../run/scenarios.ts";
import type { Detour } from "../scenarios/index.ts";
import type { FuzzFinding } from "./document.ts";
import { fuzz } from "./fuzz.ts";

export interface FuzzSuiteOptions {
  protocols: readonly Protocol[];
  target: TargetConfig | (() => Target);
  document?: string | undefined;
  /** The chosen readings of contradictions in specifications. */
  readings?: readonly string[] | undefined;
  /** The number of messages for each protocol; 0 for none. */
  runs: number;
  seed: number;
  /** The path of one message of a document, or the number of one walk if no document is named. */
  path?: string | undefined;
  maxFailures: number;
  concurrency?: number | undefined;
  timeoutMs: number;
  /** Walks along a model, preceded by races; none by default. */
  walks?:
    | {
        environments: Environments;
        walks: number;
        steps?: readonly string[] | undefined;
      }
    | undefined;
  /** The command that the report shows, and the same command as data. */
  command: string;
  options?: ReportOptions;
  onProgress?: (progress: { protocol: string; result: Result; done: number; total: number }) => void;
  signal?: AbortSignal | undefined;
}

/** The findings for one protocol. */
export interface ProtocolFindings {
  protocol: Protocol;
  findings: FuzzFinding[];
  detours: Detour[];
}

/** Tests a target with random messages, races and walks, and reports the results like a run of vectors. Throws a TouchstoneError for wrong usage. */
export async function fuzzSuite(options: FuzzSuiteOptions): Promise<{ report: Report; found: ProtocolFindings[] }> {
  const { protocols, command, signal } = options;
  const readings = readingsOf(protocols, options.readings ?? []);
  const timesSoFar = stopwatch();
  const runs: Run[] = [];
  const findingsByProtocol: ProtocolFindings[] = [];
  let complete = true;
  for (const protocol of protocols) {
    if (signal?.aborted === true) break;
    const messages =
      options.runs === 0 ? undefined : await sendMessages({ ...options, readings: readings.get(protocol) }, protocol);
    const walkResult = options.walks === undefined ? undefined : await playWalks(options, options.walks, protocol);
    const results = [...(messages?.run.results ?? []), ...(walkResult?.results ?? [])];
    const failure = messages?.run.failure ?? walkResult?.failure;
    const base = messages?.run ?? emptyRun(options, protocol);
    runs.push({ ...base, results, counts: count(results), ...(failure === undefined ? {} : { failure }) });
    findingsByProtocol.push({ protocol, findings: messages?.findings ?? [], detours: walkResult?.detours ?? [] });
    complete &&= messages?.complete !== false && walkResult?.failure === undefined;
  }
  complete &&= runs.length === protocols.length && signal?.aborted !== true;
  return {
    report: reportOf({ ...timesSoFar(), complete, command, options: options.options, runs }),
    found: findingsByProtocol,
  };
}

function targetOf({ target }: FuzzSuiteOptions): Target {
  return typeof target === "function" ? target() : targetFrom(target);
}

async function sendMessages(options: FuzzSuiteOptions, protocol: Protocol): ReturnType<typeof fuzz> {
  const { document, readings, runs, seed, path, maxFailures, concurrency, timeoutMs, signal } = options;
  let done = 0;
  const onResult = (result: Result, total: number): void => {
    done += 1;
    options.onProgress?.({ protocol: protocol.name, result, done, total });
  };
  const target = targetOf(options);
  const documentOptions = { protocol, target, document, readings, runs, seed, path };
  return fuzz({ ...documentOptions, maxFailures, concurrency, timeoutMs, signal, onResult });
}

async function playWalks(
  { seed, path, document, signal }: FuzzSuiteOptions,
  { environments, walks, steps }: NonNullable<FuzzSuiteOptions["walks"]>,
  protocol: Protocol,
): Promise<{ results: Result[]; detours: Detour[]; failure?: Run["failure"] }> {
  const { walks: loadModel } = await packOf(protocol);
  if (loadModel === undefined)
    throw new TouchstoneError("usage", `${protocol.name} has no model for random walks`, {
      hint: "leave out --walks",
    });
  const model = (await loadModel()).walks;
  const firstWalk = path === undefined || document !== undefined ? undefined : Number.parseInt(path, 10);
  const environment = await environments.open(protocol);
  try {
    const { setting } = environment;
    const freshness = randomInt(2 ** 32);
    const walkReport = await model.play({ protocol, setting, seed, freshness, walks, first: firstWalk, steps, signal });
    return {
      ...walkReport,
      results: walkReport.results.map((result) => boundResult(result, createHider(secretsIn(setting)))),
    };
  } catch (error) {
    if (error instanceof TouchstoneError && error.kind !== "target") throw error;
    return {
      results: [],
      detours: [],
      failure: { stage: "walks", message: createHider(secretsIn(environment.setting)).text(messageOf(error)) },
    };
  } finally {
    await environment.close();
  }
}

/** Creates a run without messages. */
function emptyRun(options: FuzzSuiteOptions, { name, version: protocolVersion }: Protocol): Run {
  const { kind, name: targetName } = targetOf(options);
  return {
    protocol: name,
    version: protocolVersion,
    target: { kind, name: targetName },
    set: { digest: digestOf(`fuzz ${options.seed}`), count: 0 },
    filter: { only: [], skip: [] },
    counts: count([]),
    results: [],
  };
}
