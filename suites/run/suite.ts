import {
  type Capability,
  calledBy,
  changedSince,
  type FailOn,
  type HeaderLine,
  type Protocol,
  type Report,
  type ReportOptions,
  type Result,
  type Run,
  readingsOf,
  type Shard,
  sourceAmong,
  type Target,
  type TargetConfig,
  TouchstoneError,
  type Vector,
} from "../../schemas/index.ts";
import { loadVectors, select, type VectorSet } from "../corpus/index.ts";
import { listed } from "../pack/load.ts";
import { told } from "../results/command-line.ts";
import { reportOf, stopwatch, thisTool } from "../results/report.ts";
import type { Retry } from "../results/retry.ts";
import type { Expected, ScenarioRun } from "../scenarios/index.ts";
import { hider } from "../secrets/index.ts";
import { targetFrom } from "../targets/index.ts";
import { quote } from "../text/quote.ts";
import { assumedIn } from "./assumed.ts";
import { type Case, casesOf } from "./case.ts";
import { defaultSeed, defaultTimeoutMs, mustFit, protocolsIn } from "./options.ts";
import { type Paced, runProtocol } from "./protocol.ts";
import { type Environments, expectations, withScenarios } from "./scenarios.ts";
import { isIn } from "./shard.ts";

export interface SuiteOptions {
  /** A protocol's name, `name@version`, `all`, the folder of a pack, or a list of these and of protocols that were read before. */
  protocols: string | readonly (string | Protocol)[];
  /** How to make the target; it is made anew for each protocol. */
  target: TargetConfig | (() => Target);
  only?: readonly string[];
  skip?: readonly string[];
  /** How specifications are read where they contradict themselves; without one, nobody is accused there. */
  readings?: readonly string[];
  /** Only this part of what the patterns select. */
  shard?: Shard;
  /** Questions at once; the target's own number by default. */
  concurrency?: number | undefined;
  /** Milliseconds for one vector. */
  timeoutMs?: number;
  /** Further tries of what fails. */
  retry?: Pick<Retry, "count" | "excuses"> | undefined;
  seed?: number;
  /** Folder of the vector set, or what makes the vectors of a protocol; the package's own, or those in a pack, by default. */
  vectors?: string | ((protocol: Protocol) => VectorSet | Promise<VectorSet>);
  /** Plays the scenarios of the protocols that have some as well, against what this makes. */
  scenarios?: Environments;
  /** Takes down what goes between the parties of each scenario. */
  recorder?: ScenarioRun["recorder"];
  /** Milliseconds that scenarios may wait in all where the target's clock cannot be moved (default: all that they need). */
  maxWait?: number;
  /** Told what they wait for, before they do. */
  onWaiting?: ScenarioRun["onWaiting"];
  /** Told of each scenario when it begins. */
  onPlaying?: ScenarioRun["onPlaying"];
  /** The command that the report shows and that replays are made of, and the same as data; by default what these options come to. */
  command?: string;
  options?: ReportOptions;
  /** Least level whose breach fails the run (default: must). */
  failOn?: FailOn;
  /** Reported once, before the first question. */
  onStart?: (plan: Plan) => void;
  /** Told before the first question which vectors of each protocol were selected. */
  onCases?: (planned: readonly { protocol: Protocol; cases: readonly Case[] }[]) => void;
  onProgress?: (progress: Progress) => void;
  /** Told before the first question to a target that publishes how many messages it takes in a minute. */
  onPaced?: (paced: Paced) => void;
  /** Told after each protocol what was assumed of a target that claims nothing, and mattered. */
  onAssumed?: (assumed: readonly Capability[]) => void;
  /** Ends the run early: the report has what there is by then. */
  signal?: AbortSignal;
}

/** What a report says of a run that has not begun. */
export type Plan = Omit<HeaderLine, "line" | "$schema">;

export interface Progress {
  protocol: string;
  result: Result;
  /** Which of the planned runs it belongs to, and its place among the results of that run, both from 0. */
  run: number;
  index: number;
  /** Over all protocols. */
  done: number;
  total: number;
}

/**
 * Runs stored vectors against a target. Throws a TouchstoneError for options that do not fit, a selection that is empty or a damaged vector set; a target
 * that cannot be run is named in the report.
 */
export async function runSuite(options: SuiteOptions): Promise<Report> {
  const { only = [], skip = [], timeoutMs = defaultTimeoutMs, seed = defaultSeed, vectors, signal } = options;
  mustFit(options);
  const protocols = await Promise.all(protocolsIn(options.protocols).map(listed));
  const chosen = readingsOf(protocols, options.readings ?? []);
  const times = stopwatch();
  const sets: Planned[] = [];
  for (const protocol of protocols) {
    const set = await someVectors(protocol, vectors);
    const expected = await expectations(protocol, options.scenarios);
    const readings = chosen.get(protocol) ?? [];
    sets.push({ protocol, set, readings, cases: casesOf(protocol, set, readings), expected });
  }
  const all = sets.flatMap(({ cases, expected }) => [...cases.map(({ vector }) => vector), ...expected]);
  const background = {
    rules: protocols.flatMap(({ rules }) => rules),
    sourceOf: (site: string) => sourceAmong(protocols, site),
  };
  const selected = new Set<Vector | Expected>(select<Vector | Expected>(all, { only, skip }, background));
  const { shard } = options;
  // What nobody selected is asked where it decides what a refusal shows, but not what was to be left out.
  const askable = new Set<Vector | Expected>(select<Vector | Expected>(all, { skip }, background));
  const mine = (each: Vector | Expected): boolean => selected.has(each) && (shard === undefined || isIn(shard, each));
  // Of a shard each protocol is reported, also one of which it has nothing: who puts the shards together sees that it was there.
  const planned = sets
    .filter(({ cases, expected }) =>
      [...cases.map(({ vector }) => vector), ...expected].some((each) => selected.has(each)),
    )
    .map(({ protocol, set, readings, cases, expected }) => ({
      protocol,
      cases: cases.filter(({ vector }) => mine(vector)),
      all: cases.filter(({ vector }) => (shard === undefined ? askable.has(vector) : mine(vector))),
      expected: expected.filter(mine),
      target: typeof options.target === "function" ? options.target() : targetFrom(options.target),
      set: { digest: set.digest, count: vectorsOf(set).length, ...changedOf(protocol) },
      filter: { only: [...only], skip: [...skip] },
      ...(readings.length === 0 ? {} : { readings }),
      ...(shard === undefined ? {} : { shard }),
    }));
  const known = {
    tool: thisTool,
    started: times().started,
    ...toldOf(options, protocols),
  };
  options.onStart?.({
    ...known,
    runs: planned.map(({ protocol: { name, version: its }, target, set, filter, readings }) => ({
      protocol: name,
      version: its,
      target: { kind: target.kind, name: hider(target.secrets ?? []).text(target.name) },
      set,
      filter,
      ...(readings === undefined ? {} : { readings }),
      ...(shard === undefined ? {} : { shard }),
    })),
  });

  options.onCases?.(planned);
  const total = planned.reduce((all, { cases, expected }) => all + cases.length + expected.length, 0);
  const runs: Run[] = [];
  let complete = true;
  let done = 0;
  for (const { protocol, expected, ...plan } of planned) {
    const ids = [...plan.cases.map(({ vector }) => vector.id), ...expected.map(({ id }) => id)];
    const places = new Map(ids.map((id, index) => [id, index]));
    const run = runs.length;
    const onResult = (result: Result): void => {
      done += 1;
      const index = places.get(result.id) as number;
      options.onProgress?.({ protocol: protocol.name, result, run, index, done, total });
    };
    const { concurrency, onPaced, failOn } = options;
    const retry = options.retry === undefined ? undefined : { ...options.retry, failOn };
    const ask = async (): ReturnType<typeof runProtocol> => {
      const asked = await runProtocol({
        protocol,
        ...plan,
        concurrency,
        timeoutMs,
        retry,
        seed,
        signal,
        onResult,
        onPaced,
      });
      const assumed = assumedIn(
        asked.run,
        plan.cases.map(({ vector }) => vector),
      );
      if (assumed !== undefined) options.onAssumed?.(assumed);
      return asked;
    };
    const { scenarios: environments, recorder, maxWait, onWaiting, onPlaying } = options;
    const playing = {
      ...{ protocol, expected, environments, seed, signal, onResult, recorder, maxWait, retry },
      ...{ onWaiting, onPlaying },
    };
    const ended = await withScenarios(ask, playing);
    runs.push(ended.run);
    complete &&= ended.complete;
    if (signal?.aborted) break;
  }
  complete &&= runs.length === planned.length;

  return reportOf({ ...known, ...times(), complete, failOn: options.failOn, runs });
}

interface Planned {
  protocol: Protocol;
  set: VectorSet;
  readings: string[];
  cases: Case[];
  expected: Expected[];
}

/** A protocol without vectors would pass unseen. */
async function someVectors(protocol: Protocol, from: SuiteOptions["vectors"]): Promise<VectorSet> {
  const set = typeof from === "function" ? await from(protocol) : loadVectors(protocol, from);
  if (set.files.length > 0) return set;
  throw new TouchstoneError("usage", `the vector set has nothing of ${protocol.name}@${protocol.version}`, {
    ...(typeof from === "string" ? { where: from } : {}),
    hint: "name a protocol that it has vectors of, or another set",
  });
}

/** The schemas of a pack that have changed since its vectors were made. */
function changedOf({ folder, foreign }: Protocol): Pick<Run["set"], "changed"> {
  const changed = foreign === true ? changedSince(folder) : undefined;
  if (changed === undefined) return {};
  const { files, options } = changed;
  return { changed: { files, again: ["touchstone generate", ...options.map(quote)].join(" ") } };
}

function vectorsOf(set: VectorSet): VectorSet["files"][number]["tests"] {
  return set.files.flatMap((file) => file.tests);
}

/** What the report says of how it was called: nothing for a target or vectors that a command line cannot name. */
function toldOf(
  { target, seed, timeoutMs, concurrency, vectors, readings, command, options }: SuiteOptions,
  protocols: readonly Protocol[],
): { command: string; options?: ReportOptions } {
  const isUnnamed = typeof target === "function" || typeof vectors === "function";
  const protocol = protocols.length === 1 ? calledBy(protocols[0] as Protocol) : "all";
  return {
    ...(isUnnamed
      ? { command: "" }
      : told({ protocol, target, seed, timeoutMs, concurrency, vectors, readings: readings && [...readings] })),
    ...(command === undefined ? {} : { command }),
    ...(options === undefined ? {} : { options }),
  };
}
