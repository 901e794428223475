import type { TestContext } from "vitest";
import { count, type Protocol, type Result, sourceIn, type Target, type Vector } from "../../../schemas/index.ts";
import { select } from "../../packs/corpus/index.ts";
import { messageOf } from "../../results/error-message.ts";
import type { RunCase } from "../../running/run/case.ts";
import { defaultTimeoutMs } from "../../running/run/options.ts";
import { runProtocol } from "../../running/run/protocol.ts";
import { withScenarios } from "../../running/run/scenarios.ts";
import { isOfExchanges } from "../../running/scenarios/exchanges.ts";
import type { ExpectedResult } from "../../running/scenarios/result.ts";
import type { ConformanceOptions } from "./options.ts";
import { type AnyTarget, environmentsOf } from "./party.ts";
import { createResultCollector } from "./result-collector.ts";

export interface PlayerOptions {
  protocol: Protocol;
  target: AnyTarget;
  /** The target of the vectors; undefined if none are run. */
  vectorTarget: Target | undefined;
  options: ConformanceOptions;
  readings: string[];
  cases: readonly RunCase[];
  /** One expected result for each rule of each scenario. */
  expected: readonly ExpectedResult[];
  seed: number;
}

/** The results of the run, for the tests. */
export interface SharedResults {
  /** Waits for the results with these ids, or for the end of the run. */
  waitFor(ids: readonly string[]): Promise<Result[]>;
  /** Waits for the end of the run, and returns the violations that were found in its messages outside the rules of scenarios. */
  exchangeBreaches(): Promise<Result[]>;
}

/** The one run that all tests of a protocol share. */
export interface Player {
  /** Registers the vectors, or the rules of a scenario, that one test of a group covers. Returns the key of the test. */
  plan(group: string, name: string, planned: readonly (RunCase | ExpectedResult)[]): string;
  /** Starts the server under test. */
  start(): Promise<void>;
  /** Starts the run at the first call, with the vectors and scenarios of all tests that are not skipped. */
  ensureRun(context: TestContext): Promise<SharedResults>;
  /** The reason why the run ended early, if it did. */
  failure(): string | undefined;
  close(): Promise<void>;
}

/** The default of `maxWait`. */
const defaultMaxWaitSeconds = 70;

export function createPlayer(playerOptions: PlayerOptions): Player {
  const { options } = playerOptions;
  const planned = new Map<string, readonly (RunCase | ExpectedResult)[]>();
  const abort = new AbortController();
  const collector = createResultCollector();
  let server: { close(): void } | undefined;
  let running: Promise<void> | undefined;
  let failure: string | undefined;

  const run = async (keys: readonly string[]): Promise<void> => {
    try {
      failure = await runSelected(
        playerOptions,
        new Set(keys.flatMap((key) => planned.get(key) ?? [])),
        abort.signal,
        collector.add,
      );
    } catch (error) {
      failure = messageOf(error);
    } finally {
      collector.end();
    }
  };

  return {
    plan(group, name, subjects) {
      const key = `${group} ${name}`;
      planned.set(key, subjects);
      return key;
    },
    async start() {
      const { webServer } = options;
      if (webServer === undefined) return;
      server = await (await import("../../cli/config/web-server.ts")).startWebServer(webServer, abort.signal);
    },
    async ensureRun({ task }) {
      running ??= run(runnableKeys(task.suite?.suite, [...planned.keys()]));
      return {
        waitFor: collector.waitFor,
        exchangeBreaches: async () => (await collector.waitForAll()).filter(isOfExchanges),
      };
    },
    failure: () => failure,
    async close() {
      abort.abort();
      await running;
      server?.close();
    },
  };
}

interface TaskLike {
  name: string;
  mode: string;
  tasks?: TaskLike[];
}

/** The keys of the tests that Vitest will run; with `-t` or `.only`, these are not all. */
function runnableKeys(suite: TaskLike | undefined, allKeys: readonly string[]): readonly string[] {
  if (suite === undefined) return allKeys;
  return (suite.tasks ?? []).flatMap((group) =>
    (group.tasks ?? []).flatMap(({ name, mode }) =>
      mode === "skip" || mode === "todo" ? [] : `${group.name} ${name}`,
    ),
  );
}

/** Runs vectors and plays scenarios, as `touchstone run` does, and returns the reason for an early end, if there was one. */
async function runSelected(
  { protocol, target, vectorTarget, options, readings, cases, expected, seed }: PlayerOptions,
  planned: ReadonlySet<RunCase | ExpectedResult>,
  signal: AbortSignal,
  onResult: (result: Result) => void,
): Promise<string | undefined> {
  const {
    only = [],
    skip = [],
    failOn,
    concurrency,
    timeoutMs = defaultTimeoutMs,
    maxWait = defaultMaxWaitSeconds,
  } = options;
  const retry = options.retry === undefined ? undefined : { ...options.retry, failOn };
  const plannedCases = cases.filter((runCase) => planned.has(runCase));
  const set = { digest: "", count: cases.length };
  const filter = { only: [...only], skip: [...skip] };
  // A refused invalid message proves nothing unless its valid parent is accepted. So the parent is sent too, unless the user skips it.
  const subjects = [...cases.map(({ vector }) => vector), ...expected];
  const background = { rules: protocol.rules, sourceOf: (site: string) => sourceIn(protocol, site) };
  const notSkipped = new Set(select<Vector | ExpectedResult>(subjects, { skip }, background));
  const sendableCases = cases.filter(({ vector }) => notSkipped.has(vector));
  const runVectors = async (): ReturnType<typeof runProtocol> => {
    if (vectorTarget === undefined) {
      const kind = "kind" in target ? (target.kind as "http") : "http";
      const emptyRun = { protocol: protocol.name, version: protocol.version, target: { kind, name: "" } };
      return { run: { ...emptyRun, set, filter, counts: count([]), results: [] }, complete: true };
    }
    const input = { protocol, target: vectorTarget, cases: plannedCases, all: sendableCases, set, filter };
    const readingOption = readings.length === 0 ? {} : { readings };
    return runProtocol({ ...input, ...readingOption, concurrency, timeoutMs, retry, seed, signal, onResult });
  };
  const expectedResults = expected.filter((expectedResult) => planned.has(expectedResult));
  const environments = expectedResults.length === 0 ? undefined : environmentsOf(target, options);
  const scenarioInput = { protocol, expected: expectedResults, environments, seed, signal, onResult, retry };
  const { run } = await withScenarios(runVectors, { ...scenarioInput, maxWait: maxWait * 1000 });
  return run.failure === undefined ? undefined : `failed at ${run.failure.stage}: ${run.failure.message}`;
}

/** Groups the selected results by the name of their scenario. */
export function selectedByScenario(
  expected: readonly ExpectedResult[],
  chosen: ReadonlySet<Vector | ExpectedResult>,
): Map<string, ExpectedResult[]> {
  const groups = new Map<string, ExpectedResult[]>();
  for (const expectedResult of expected)
    if (chosen.has(expectedResult))
      groups.set(expectedResult.scenario.name, [...(groups.get(expectedResult.scenario.name) ?? []), expectedResult]);
  return groups;
}
