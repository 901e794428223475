import {
  count,
  type InCommon,
  type Protocol,
  type Result,
  type Run,
  type Target,
  TouchstoneError,
  type UntestedRule,
} from "../../schemas/index.ts";
import { fails } from "../results/exit.ts";
import { heard } from "../results/heard.ts";
import { isOpen, judgedTries, type Retry } from "../results/retry.ts";
import { said } from "../results/said.ts";
import { type Hider, hider } from "../secrets/index.ts";
import { bounded } from "../text/bounded.ts";
import { askedOf, askerOf, assumedOf, type Seen } from "./ask.ts";
import type { Case } from "./case.ts";
import { opened } from "./opened.ts";
import { refusalsOf } from "./refusals.ts";
import { runAll } from "./schedule.ts";
import { inCommon } from "./separating.ts";
import { statesOf } from "./states.ts";

export interface ProtocolRun {
  protocol: Protocol;
  target: Target;
  cases: readonly Case[];
  /** Those among which the parents of the cases are found: what is refused as its valid parent is shows nothing. By default all counts. */
  all?: readonly Case[];
  set: Run["set"];
  filter: Run["filter"];
  readings?: string[];
  shard?: NonNullable<Run["shard"]>;
  concurrency: number | undefined;
  timeoutMs: number;
  /** Further tries of what fails; absent: none. */
  retry?: Retry | undefined;
  seed: number;
  signal: AbortSignal | undefined;
  onResult: (result: Result) => void;
  /** Told before the first question, where the target publishes how many messages it takes in a minute. */
  onPaced?: ((paced: Paced) => void) | undefined;
}

/** How many messages a target will be sent that publishes how many it takes in a minute. */
export interface Paced {
  protocol: string;
  messages: number;
  perMinute: number;
}

/** Questions in a row that time out or find nobody, after which the rest is not asked. */
const patience = 50;
/** Milliseconds that one who has answered before may be gone for, as when it is restarted. */
const absence = 5000;

/** Questions that a server did not answer in time and is asked once more, alone: it may have been busy with the others. */
const mostLate = 10;

/** What tells the seed of a question that is asked once more from the first. */
const anew = 0x8000_0000;

/** Characters of what is said of a run as a whole. */
const mostMessage = 10_000;

/** Puts the cases of one protocol to a target. `complete` tells whether each has its result. */
export async function runProtocol(options: ProtocolRun): Promise<{ run: Run; complete: boolean }> {
  const { protocol, target, cases, set, filter, readings, shard } = options;
  const hide = hider(target.secrets ?? []);
  const ended = (
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
        name: hide.text(bounded(target.name)),
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
      ...lostIn(target, hide),
      ...(failure === undefined ? {} : { failure }),
    },
    complete: failure === undefined && results.length === cases.length,
  });

  try {
    await opened(target, protocol, options.signal);
  } catch (failure) {
    await close(target);
    if (failure instanceof TouchstoneError && failure.kind !== "target") throw failure;
    return ended([], { stage: "open", message: hide.text(bounded(said(failure), mostMessage)) });
  }
  try {
    const { perMinute } = target;
    if (options.onPaced !== undefined && perMinute !== undefined)
      options.onPaced({ protocol: protocol.name, messages: askedOf(target, cases, options.seed), perMinute });
    const { results, failure } = await askAll(options, hide);
    return ended(results, failure, inCommon(cases, results), target.untested?.());
  } finally {
    await close(target);
  }
}

async function askAll(
  options: ProtocolRun,
  hide: Hider,
): Promise<{ results: Result[]; failure?: NonNullable<Run["failure"]> }> {
  const { protocol, target, cases, all, seed, timeoutMs, onResult } = options;
  const end = new AbortController();
  let failure: Run["failure"];
  const fail = (stage: string, message: string): void => {
    failure ??= { stage, message: hide.text(bounded(message, mostMessage)) };
    end.abort();
  };

  const told = (result: Result): Result => heard(result, hide);
  const asking = { protocol, target, readings: options.readings ?? [], told };
  const { ask, judged, failed } = askerOf({ ...asking, seed });
  // What came too late may have been taken all the same: it is asked once more as a message of its own, not under the key that is used up.
  const { ask: askAnew } = askerOf({ ...asking, seed: (seed ^ anew) >>> 0 });
  const states = statesOf(cases, all ?? cases, judged);
  const settle = (each: Case, thrown: unknown): Seen => {
    if (thrown instanceof TouchstoneError) fail("answer", thrown.message);
    return failed(each, thrown);
  };
  const refusals = all === undefined ? undefined : refusalsOf(cases, all);
  const settled = new Map<string, Result>();
  const settleAll = (results: readonly Result[]): void => {
    for (const result of results) {
      const shown = flaky.get(result.id) ?? result;
      settled.set(result.id, shown);
      onResult(shown);
    }
  };
  const late = new Map<string, Seen>();
  /** Tries failed vectors again: the result of all tries, and the flaky vectors. */
  const tried = new Map<string, Seen[]>();
  const flaky = new Map<string, Result>();
  const retry = options.retry?.count === 0 ? undefined : options.retry;
  let unanswered = 0;
  let heardAt = Number.NEGATIVE_INFINITY;
  const onJudged = (seen: Seen): void => settleAll(refusals?.settle(seen) ?? [seen.result]);
  const onEnd = (seen: Seen): void => {
    for (const each of states.settle(seen)) onJudged(each);
  };
  const onDone = (seen: Seen): void => {
    const { result } = seen;
    if (retry !== undefined && fails(result, retry.failOn)) tried.set(result.id, [seen]);
    else if (result.outcome === "timed-out" && target.kind === "http" && late.size < mostLate)
      late.set(result.id, seen);
    else onEnd(seen);
    if (result.outcome === "timed-out" || result.stage === "connect") unanswered += 1;
    else if (result.outcome !== "skipped") {
      unanswered = 0;
      heardAt = performance.now();
    }
    if (unanswered < patience || performance.now() - heardAt < absence) return;
    const which = Number.isFinite(heardAt) ? `${unanswered} questions in a row` : `the first ${unanswered} questions`;
    fail("answer", `${which} got no answer, the last: ${result.why}`);
  };

  const signal = options.signal === undefined ? end.signal : AbortSignal.any([options.signal, end.signal]);
  const concurrency = options.concurrency ?? target.concurrency;
  const pace = { concurrency, timeoutMs, signal, onDone, isHeld: target.isHeld };
  await runAll(cases, ask, settle, pace);
  const again = signal.aborted ? [] : cases.filter(({ vector }) => late.has(vector.id));
  const onAnswer = (seen: Seen): void => {
    late.delete(seen.result.id);
    onEnd(seen);
  };
  await runAll(again, askAnew, settle, { ...pace, concurrency: 1, onDone: onAnswer });
  for (const seen of late.values()) onEnd(seen);
  for (let turn = 0; retry !== undefined && turn < retry.count && !signal.aborted; turn++) {
    const open = cases.filter(({ vector }) => {
      const tries = tried.get(vector.id);
      return (
        tries !== undefined &&
        isOpen(
          tries.map(({ result }) => result),
          retry,
        )
      );
    });
    const { ask: askOnceMore } = askerOf({ ...asking, seed: (seed ^ (anew + turn)) >>> 0 });
    await runAll(open, askOnceMore, settle, { ...pace, onDone: (seen) => tried.get(seen.result.id)?.push(seen) });
  }
  for (const [id, tries] of tried) {
    const results = tries.map(({ result }) => result) as [Result, ...Result[]];
    const { place, flaky: differing } = judgedTries(results, retry as Retry);
    if (differing !== undefined) flaky.set(id, differing);
    onEnd(tries[place] as Seen);
  }
  await runAll(signal.aborted ? [] : states.wanted(), ask, settle, { ...pace, onDone: states.settle });
  for (const seen of states.rest()) onJudged(seen);
  const wanted = signal.aborted ? [] : (refusals?.wanted() ?? []);
  await runAll(wanted, ask, settle, pace);
  settleAll(refusals?.rest() ?? []);
  return {
    results: cases.flatMap(({ vector }) => settled.get(vector.id) ?? []),
    ...(failure === undefined ? {} : { failure }),
  };
}

function lostIn({ lost }: Target, hide: Hider): Pick<Run, "lost"> {
  const some = lost?.();
  return some === undefined ? {} : { lost: { times: some.times, last: hide.text(bounded(some.last, mostMessage)) } };
}

/** The results count, however the target takes its leave. */
async function close(target: Target): Promise<void> {
  try {
    await target.close();
  } catch {}
}

/** What a target claims, or what is taken for granted of one that claims nothing. */
export function capabilitiesOf(target: Target): Pick<Run["target"], "claims" | "assumed"> {
  if (target.claims !== undefined) return { claims: [...target.claims] };
  const assumed = assumedOf(target);
  return assumed === undefined ? {} : { assumed: [...assumed] };
}
