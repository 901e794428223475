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
import { createArrivals } from "./arrivals.ts";
import type { ConformanceOptions } from "./options.ts";
import { environmentsOf, type Given } from "./party.ts";

export interface PlayerOptions {
  known: Protocol;
  target: Given;
  /** The target of the vectors; undefined if none are run. */
  asked: Target | undefined;
  options: ConformanceOptions;
  readings: string[];
  cases: readonly RunCase[];
  /** One expected result for each rule of each scenario. */
  expected: readonly ExpectedResult[];
  seed: number;
}

/** The results of the run, for the tests. */
export interface Results {
  /** The results with these ids, once all have come or the run is over. */
  of(ids: readonly string[]): Promise<Result[]>;
  /** Breaches found in messages, in addition to the rules of scenarios, once the run is over. */
  beyond(): Promise<Result[]>;
}

/** The one run that all tests of a protocol share. */
export interface Player {
  /** Plans vectors, or rules of a scenario, as a test of a group, and returns its key. */
  plan(group: string, name: string, planned: readonly (RunCase | ExpectedResult)[]): string;
  /** Starts the server under test. */
  start(): Promise<void>;
  /** Begins the run, with the subjects of the tests that are not skipped. */
  results(context: TestContext): Promise<Results>;
  /** Why the run ended early, if it did. */
  failure(): string | undefined;
  close(): Promise<void>;
}

/** The total seconds that scenarios wait for a clock that no hook moves. */
const usualWait = 70;

export function settings(settings: PlayerOptions): Player {
  const { options } = settings;
  const planned = new Map<string, readonly (RunCase | ExpectedResult)[]>();
  const end = new AbortController();
  const coming = createArrivals();
  let server: { close(): void } | undefined;
  let running: Promise<void> | undefined;
  let failure: string | undefined;

  const run = async (keys: readonly string[]): Promise<void> => {
    try {
      failure = await playedResults(
        settings,
        new Set(keys.flatMap((key) => planned.get(key) ?? [])),
        end.signal,
        coming.take,
      );
    } catch (error) {
      failure = messageOf(error);
    } finally {
      coming.end();
    }
  };

  return {
    plan(group, name, some) {
      const key = `${group} ${name}`;
      planned.set(key, some);
      return key;
    },
    async start() {
      const { webServer } = options;
      if (webServer === undefined) return;
      server = await (await import("../../cli/config/web-server.ts")).startWebServer(webServer, end.signal);
    },
    async results({ task }) {
      running ??= run(runnableTests(task.suite?.suite, [...planned.keys()]));
      return {
        of: coming.of,
        beyond: async () => (await coming.all()).filter(isOfExchanges),
      };
    },
    failure: () => failure,
    async close() {
      end.abort();
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

/** The keys of the tests that Vitest is going to run: with `-t` or `.only`, that is only a part. */
function runnableTests(suite: TaskLike | undefined, all: readonly string[]): readonly string[] {
  if (suite === undefined) return all;
  return (suite.tasks ?? []).flatMap((group) =>
    (group.tasks ?? []).flatMap(({ name, mode }) =>
      mode === "skip" || mode === "todo" ? [] : `${group.name} ${name}`,
    ),
  );
}

/** Runs vectors and plays scenarios, as `touchstone run` does, and returns the reason for an early end, if there was one. */
async function playedResults(
  { known, target, asked, options, readings, cases, expected, seed }: PlayerOptions,
  wanted: ReadonlySet<RunCase | ExpectedResult>,
  signal: AbortSignal,
  onResult: (result: Result) => void,
): Promise<string | undefined> {
  const { only = [], skip = [], failOn, concurrency, timeoutMs = defaultTimeoutMs, maxWait = usualWait } = options;
  const retry = options.retry === undefined ? undefined : { ...options.retry, failOn };
  const chosen = cases.filter((runCase) => wanted.has(runCase));
  const set = { digest: "", count: cases.length };
  const filter = { only: [...only], skip: [...skip] };
  // A refusal of an invalid message shows something only if its valid parent is accepted, so the parent is sent too, unless it is excluded.
  const there = [...cases.map(({ vector }) => vector), ...expected];
  const background = { rules: known.rules, sourceOf: (site: string) => sourceIn(known, site) };
  const askable = new Set(select<Vector | ExpectedResult>(there, { skip }, background));
  const all = cases.filter(({ vector }) => askable.has(vector));
  const ask = async (): ReturnType<typeof runProtocol> => {
    if (asked === undefined) {
      const kind = "kind" in target ? (target.kind as "http") : "http";
      const nothing = { protocol: known.name, version: known.version, target: { kind, name: "" } };
      return { run: { ...nothing, set, filter, counts: count([]), results: [] }, complete: true };
    }
    const given = { protocol: known, target: asked, cases: chosen, all, set, filter };
    const more = readings.length === 0 ? {} : { readings };
    return runProtocol({ ...given, ...more, concurrency, timeoutMs, retry, seed, signal, onResult });
  };
  const mine = expected.filter((expectedResult) => wanted.has(expectedResult));
  const environments = mine.length === 0 ? undefined : environmentsOf(target, options);
  const playing = { protocol: known, expected: mine, environments, seed, signal, onResult, retry };
  const { run } = await withScenarios(ask, { ...playing, maxWait: maxWait * 1000 });
  return run.failure === undefined ? undefined : `failed at ${run.failure.stage}: ${run.failure.message}`;
}

/** The selected rules of each scenario, by its name. */
export function chosenIn(
  expected: readonly ExpectedResult[],
  chosen: ReadonlySet<Vector | ExpectedResult>,
): Map<string, ExpectedResult[]> {
  const groups = new Map<string, ExpectedResult[]>();
  for (const expectedResult of expected)
    if (chosen.has(expectedResult))
      groups.set(expectedResult.scenario.name, [...(groups.get(expectedResult.scenario.name) ?? []), expectedResult]);
  return groups;
}
