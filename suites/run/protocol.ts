import {
  type Capability,
  capabilities,
  count,
  type Document,
  type Protocol,
  type Result,
  type Run,
  TouchstoneError,
  type Vector,
} from "../../schemas/index.ts";
import { type Target, TargetSkip } from "../targets/target.ts";
import { judge } from "./judge.ts";
import { questionOf } from "./question.ts";
import { resultOf, resultWithout, said } from "./result.ts";
import { schedule } from "./schedule.ts";

/** A vector and the document that it belongs to. */
export interface Case {
  vector: Vector;
  document: Document;
}

export interface ProtocolRun {
  protocol: Protocol;
  target: Target;
  cases: readonly Case[];
  set: Run["set"];
  filter: Run["filter"];
  shard?: NonNullable<Run["shard"]>;
  concurrency: number | undefined;
  timeoutMs: number;
  seed: number;
  signal: AbortSignal | undefined;
  onResult: (result: Result) => void;
}

/** Questions from the first on that time out or find nobody, after which the rest is not asked. */
const patience = 50;

/** Puts the cases of one protocol to a target. `complete` tells whether each has its result. */
export async function runProtocol(options: ProtocolRun): Promise<{ run: Run; complete: boolean }> {
  const { protocol, target, cases, set, filter, shard } = options;
  const ended = (results: Result[], failure?: Run["failure"]): { run: Run; complete: boolean } => ({
    run: {
      protocol: protocol.name,
      version: protocol.version,
      target: {
        kind: target.kind,
        name: target.name,
        ...(target.claims === undefined ? {} : { claims: [...target.claims] }),
      },
      set,
      filter,
      ...(shard === undefined ? {} : { shard }),
      counts: count(results),
      results,
      ...(failure === undefined ? {} : { failure }),
    },
    complete: failure === undefined && results.length === cases.length,
  });

  try {
    await target.open(protocol);
  } catch (failure) {
    await close(target);
    if (failure instanceof TouchstoneError && failure.kind !== "target") throw failure;
    return ended([], { stage: "open", message: said(failure) });
  }
  try {
    const { results, failure } = await askAll(options);
    return ended(results, failure);
  } finally {
    await close(target);
  }
}

async function askAll(options: ProtocolRun): Promise<{ results: Result[]; failure?: NonNullable<Run["failure"]> }> {
  const { protocol, target, cases, seed, timeoutMs, onResult } = options;
  // A code names the cause only where the protocol defines what it means: in the answers of its servers.
  const isServer = target.kind === "http" || target.kind === "reference";
  const codes = isServer ? protocol.profile.http.reason?.codes : undefined;
  const end = new AbortController();
  let failure: Run["failure"];
  const fail = (stage: string, message: string): void => {
    failure ??= { stage, message };
    end.abort();
  };

  const ask = async ({ vector, document }: Case, signal: AbortSignal): Promise<Result> => {
    const question = questionOf(vector, document, seed);
    const skip = unmet(vector, target.claims ?? unsaid(target)) ?? target.skips(question);
    if (skip !== undefined) throw new TargetSkip(skip);
    const answer = await target.check(question, signal);
    return resultOf(vector, document.name, judge(vector, answer, codes), answer);
  };
  const settle = ({ vector, document }: Case, thrown: unknown): Result => {
    if (thrown instanceof TouchstoneError) fail("answer", thrown.message);
    return resultWithout(vector, document.name, thrown);
  };
  let unanswered = 0;
  const onDone = (result: Result): void => {
    onResult(result);
    if (result.outcome === "timed-out" || result.stage === "connect") unanswered += 1;
    else if (result.outcome !== "skipped") unanswered = Number.NEGATIVE_INFINITY;
    if (unanswered === patience)
      fail("answer", `the first ${patience} questions got no answer, the last: ${result.why}`);
  };

  const signal = options.signal === undefined ? end.signal : AbortSignal.any([options.signal, end.signal]);
  const concurrency = options.concurrency ?? target.concurrency;
  const results = await schedule(cases, ask, settle, { concurrency, timeoutMs, signal, onDone });
  return {
    results: results.filter((result) => result !== undefined),
    ...(failure === undefined ? {} : { failure }),
  };
}

/** What is taken for granted of a target that claims nothing: all but a reader of YAML, which a server shows by the media type. */
function unsaid({ kind }: Target): readonly Capability[] | undefined {
  if (kind === "http" || kind === "reference") return undefined;
  return (Object.keys(capabilities) as Capability[]).filter((capability) => capability !== "yaml-text");
}

/** Why a vector cannot be held against a target that claims less than it needs. */
function unmet(vector: Vector, claims: readonly Capability[] | undefined): string | undefined {
  const lacking = claims === undefined ? [] : vector.needs.filter((need) => !claims.includes(need as Capability));
  if (lacking.length === 0) return undefined;
  const named = lacking.map((need) => `${need} (${capabilities[need as Capability] ?? "unknown"})`);
  return `needs ${named.join(" and ")}, which the target does not claim`;
}

/** The results count, however the target takes its leave. */
async function close(target: Target): Promise<void> {
  try {
    await target.close();
  } catch {}
}
