import {
  count,
  type InCommon,
  type Protocol,
  type Result,
  type Run,
  type Target,
  TouchstoneError,
  type UntestedRule,
} from "../../../schemas/index.ts";
import { createHider, type Hider } from "../../base/secrets/index.ts";
import { boundText } from "../../base/text/bounds.ts";
import { messageOf } from "../../results/error-message.ts";
import { boundResult } from "../../results/reason-text.ts";
import type { Retry } from "../../results/retry.ts";
import { type AskedCase, askedOf, askerOf, assumedOf } from "./asker.ts";
import type { RunCase } from "./case.ts";
import { openTarget } from "./opening.ts";
import { refusalsOf } from "./refusals.ts";
import { runAll } from "./schedule.ts";
import { commonFeatures } from "./separation.ts";
import { watchSilence } from "./silence.ts";
import { statesOf } from "./states.ts";
import { triesOf } from "./tries.ts";

export interface ProtocolRun {
  protocol: Protocol;
  target: Target;
  cases: readonly RunCase[];
  /** The cases to look up parents in: a refusal shows nothing if the vector's valid parent is refused too. Without them, every refusal counts. */
  all?: readonly RunCase[];
  set: Run["set"];
  filter: Run["filter"];
  readings?: string[];
  shard?: NonNullable<Run["shard"]>;
  concurrency: number | undefined;
  timeoutMs: number;
  /** Further attempts at failures; none by default. */
  retry?: Retry | undefined;
  seed: number;
  signal: AbortSignal | undefined;
  onResult: (result: Result) => void;
  /** Called before the first question if the target publishes how many messages it accepts per minute. */
  onPaced?: ((paced: Paced) => void) | undefined;
}

/** How many messages a run sends to a target that publishes how many it accepts per minute. */
export interface Paced {
  protocol: string;
  messages: number;
  perMinute: number;
}

/** At most this many questions without an answer in time are sent again, one at a time: the server may have been busy with the others. */
const maxLate = 10;

/** XORed into the seed of a repeated question, so that its fresh values differ. */
const retrySeed = 0x8000_0000;

/** The maximum length, in characters, of a message about a run as a whole. */
const maxMessageLength = 10_000;

/** Runs the cases of one protocol against a target. `complete` is true if every case has a result. */
export async function runProtocol(options: ProtocolRun): Promise<{ run: Run; complete: boolean }> {
  const { protocol, target, cases, set, filter, readings, shard } = options;
  const hide = createHider(target.secrets ?? []);
  const makeRun = (
    results: Result[],
    failure?: Run["failure"],
    common: InCommon[] = [],
    untested: UntestedRule[] = [],
  ): { run: Run; complete: boolean } => ({
    run: {
      protocol: protocol.name,
      version: protocol.version,
      target: {
        kind: target.kind,
        name: hide.text(boundText(target.name)),
        ...capabilitiesOf(target),
      },
      set,
      filter,
      ...(readings === undefined ? {} : { readings }),
      ...(shard === undefined ? {} : { shard }),
      counts: count(results),
      results,
      ...(common.length === 0 ? {} : { inCommon: common }),
      ...(untested.length === 0 ? {} : { untested: untested.map(({ rule, why }) => ({ rule, why: hide.text(why) })) }),
      ...lossesOf(target, hide),
      ...(failure === undefined ? {} : { failure }),
    },
    complete: failure === undefined && results.length === cases.length,
  });

  try {
    await openTarget(target, protocol, options.signal);
  } catch (failure) {
    await closeTarget(target);
    if (failure instanceof TouchstoneError && failure.kind !== "target") throw failure;
    return makeRun([], { stage: "open", message: hide.text(boundText(messageOf(failure), maxMessageLength)) });
  }
  try {
    const { perMinute } = target;
    if (options.onPaced !== undefined && perMinute !== undefined)
      options.onPaced({ protocol: protocol.name, messages: askedOf(target, cases, options.seed), perMinute });
    const { results, failure } = await askAll(options, hide);
    return makeRun(results, failure, commonFeatures(cases, results), target.untested?.());
  } finally {
    await closeTarget(target);
  }
}

async function askAll(
  options: ProtocolRun,
  hide: Hider,
): Promise<{ results: Result[]; failure?: NonNullable<Run["failure"]> }> {
  const { protocol, target, cases, all, seed, timeoutMs } = options;
  const end = createRunEnd(options.signal, hide);
  const { signal } = end;
  const askerOptions = {
    protocol,
    target,
    readings: options.readings ?? [],
    told: (result: Result) => boundResult(result, hide),
  };
  const { ask, judged, failed } = askerOf({ ...askerOptions, seed });
  const settle = (runCase: RunCase, thrown: unknown): AskedCase => {
    if (thrown instanceof TouchstoneError) end.fail("answer", thrown.message);
    return failed(runCase, thrown);
  };
  const states = statesOf(cases, all ?? cases, judged);
  const refusals = all === undefined ? undefined : refusalsOf(cases, all);
  const answers = collectResults(options.onResult);
  const onJudged = (askedCase: AskedCase): void => answers.add(refusals?.settle(askedCase) ?? [askedCase.result]);
  const onEnd = (askedCase: AskedCase): void => states.settle(askedCase).forEach(onJudged);

  const { tries, late, onDone } = sortFinished(options, end, onEnd);

  const concurrency = options.concurrency ?? target.concurrency;
  const pace = { concurrency, timeoutMs, signal, onDone, isHeld: target.isHeld };
  await runAll(cases, ask, settle, pace);

  // A message with a late answer may have been accepted, so it is sent again with another key.
  const lateCases = signal.aborted ? [] : cases.filter(({ vector }) => late.has(vector.id));
  const onLate = (askedCase: AskedCase): void => {
    late.delete(askedCase.result.id);
    onEnd(askedCase);
  };
  const { ask: askAgain } = askerOf({ ...askerOptions, seed: (seed ^ retrySeed) >>> 0 });
  await runAll(lateCases, askAgain, settle, { ...pace, concurrency: 1, onDone: onLate });
  late.forEach(onEnd);

  for (let turn = 0; tries !== undefined && turn < (options.retry?.count ?? 0) && !signal.aborted; turn++) {
    const { ask: askOnceMore } = askerOf({ ...askerOptions, seed: (seed ^ (retrySeed + turn)) >>> 0 });
    await runAll(tries.open(cases), askOnceMore, settle, { ...pace, onDone: tries.add });
  }
  for (const { seen, flaky } of tries?.judged() ?? []) {
    if (flaky !== undefined) answers.isFlaky(flaky);
    onEnd(seen);
  }

  await runAll(signal.aborted ? [] : states.wanted(), ask, settle, { ...pace, onDone: states.settle });
  states.rest().forEach(onJudged);
  await runAll(signal.aborted ? [] : (refusals?.wanted() ?? []), ask, settle, pace);
  answers.add(refusals?.rest() ?? []);
  return { results: answers.of(cases), ...end.failure() };
}

/** The questions to ask again, and the callback that sorts finished cases. */
interface SortedEnds {
  /** Cases that failed and are tried again; undefined if there are none. */
  tries: ReturnType<typeof triesOf> | undefined;
  /** Cases with an answer that came too late, by their ids. */
  late: Map<string, AskedCase>;
  onDone: (askedCase: AskedCase) => void;
}

/** Sorts the finished cases: `onEnd` receives the cases that are not sent again. */
function sortFinished(
  { target, retry }: ProtocolRun,
  end: ReturnType<typeof createRunEnd>,
  onEnd: (askedCase: AskedCase) => void,
): SortedEnds {
  const tries = (retry?.count ?? 0) === 0 ? undefined : triesOf(retry as Retry);
  const late = new Map<string, AskedCase>();
  const reasonForSilence = watchSilence();
  const onDone = (askedCase: AskedCase): void => {
    const { id, outcome } = askedCase.result;
    const isTriedAgain = tries?.takes(askedCase) === true;
    const isLate = outcome === "timed-out" && target.kind === "http" && late.size < maxLate;
    if (!isTriedAgain && isLate) late.set(id, askedCase);
    else if (!isTriedAgain) onEnd(askedCase);
    const why = reasonForSilence(askedCase.result);
    if (why !== undefined) end.fail("answer", why);
  };
  return { tries, late, onDone };
}

/** Ends a run before its last question. The first failure counts. */
function createRunEnd(
  givenSignal: AbortSignal | undefined,
  hide: Hider,
): { signal: AbortSignal; fail(stage: string, message: string): void; failure(): Pick<Run, "failure"> } {
  const end = new AbortController();
  let failure: Run["failure"];
  return {
    signal: givenSignal === undefined ? end.signal : AbortSignal.any([givenSignal, end.signal]),
    fail(stage, message) {
      failure ??= { stage, message: hide.text(boundText(message, maxMessageLength)) };
      end.abort();
    },
    failure: () => (failure === undefined ? {} : { failure }),
  };
}

/** Collects the results of a run, and reports each when it is settled. */
function collectResults(onResult: (result: Result) => void): {
  add(results: readonly Result[]): void;
  isFlaky(result: Result): void;
  of(cases: readonly RunCase[]): Result[];
} {
  const settledResults = new Map<string, Result>();
  const flaky = new Map<string, Result>();
  return {
    add(results) {
      for (const result of results) {
        const shownResult = flaky.get(result.id) ?? result;
        settledResults.set(result.id, shownResult);
        onResult(shownResult);
      }
    },
    isFlaky: (result) => void flaky.set(result.id, result),
    of: (cases) => cases.flatMap(({ vector }) => settledResults.get(vector.id) ?? []),
  };
}

function lossesOf({ lost }: Target, hide: Hider): Pick<Run, "lost"> {
  const losses = lost?.();
  return losses === undefined
    ? {}
    : { lost: { times: losses.times, last: hide.text(boundText(losses.last, maxMessageLength)) } };
}

/** Closes a target. Ignores errors: the results count, however the target ends. */
async function closeTarget(target: Target): Promise<void> {
  try {
    await target.close();
  } catch {}
}

/** Returns the claims of a target, or the assumed claims if it claims nothing. */
export function capabilitiesOf(target: Target): Pick<Run["target"], "claims" | "assumed"> {
  if (target.claims !== undefined) return { claims: [...target.claims] };
  const assumed = assumedOf(target);
  return assumed === undefined ? {} : { assumed: [...assumed] };
}
