import {
  isObject,
  type Json,
  type JsonObject,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { quote } from "../../../base/text/show.ts";
import { type LineParty, openLines } from "../../../running/scenarios/way/lines.ts";
import { boundOf } from "./waits.ts";

/** An order to a runtime, with the bindings of its owner. */
export interface RunOrder {
  document: JsonObject;
  input: Json;
  /** The MemoryScope of the user, null for none; if absent, the common one of all runs of the scenario. */
  memory_scope?: string | null;
  /** The tools of each MCP server, and the skills of each remote agent, by alias. */
  tools?: Record<string, string[]>;
  /** The names of the known transforms. */
  transforms?: string[];
  /** The settings that the model does not know. */
  model_lacks?: string[];
}

const kinds = ["model", "tool", "agent", "consent", "transform"] as const;
export type CallKind = (typeof kinds)[number];

/** A call-back of a runtime; `about` is its content. */
export interface Call {
  id: Json;
  kind: CallKind;
  about: JsonObject;
}

/** How a run ended: with an output, with an error, or stopped by the suite because it took too long. */
export type RunEnding = { output: Json } | { error: string; unsupported?: string } | { cut: true };

/** The suite's answers to call-backs; `count` is the number of the kind so far, including this one. */
export type Hands = Partial<Record<CallKind, (about: JsonObject, count: number) => JsonObject | Promise<JsonObject>>>;

/** A run in progress. */
export interface RunSoFar {
  readonly calls: readonly Call[];
  /** Undefined until it has ended. */
  readonly ending: RunEnding | undefined;
  /** The next call-back; undefined if the run has ended, or nothing came within these milliseconds. */
  next(milliseconds?: number): Promise<Call | undefined>;
  /** The next call-back of a runtime that should be silent: the wait is longer for a slower runtime. */
  early(): Promise<Call | undefined>;
  answer(call: Call, answer: JsonObject): Promise<void>;
}

export interface Finished {
  calls: readonly Call[];
  ending: RunEnding;
}

export interface Runtime {
  begin(order: RunOrder): Promise<RunSoFar>;
  /** Continues to the end of a run. More than `most` calls stop it from outside. */
  finish(run: RunSoFar, hands?: Hands, most?: number): Promise<Finished>;
  /** Starts a run and finishes it. */
  play(order: RunOrder, hands?: Hands, most?: number): Promise<Finished>;
}

/** The milliseconds after which a runtime that does not wait becomes visible. This is all the time that a runtime that waits costs. */
const silenceMs = 250;
/** The time of silence as a multiple of a call's duration, within its bound. */
const patienceFactor = 3;
/** More calls than any run here needs. */
const defaultMaxCalls = 60;

const usualHands: Required<Hands> = {
  model: () => ({ content: "done", usage: { input: 10, output: 5 } }),
  tool: () => ({ output: "nothing" }),
  agent: () => ({ output: {} }),
  consent: () => ({ granted: true }),
  transform: () => ({ output: null }),
};

/** The runtime of a scenario: started with the first run, and again if it has ended since. */
export function runtimeOf(context: ScenarioContext): Runtime {
  let party: LineParty | undefined;
  let isNew = true;
  /** Whether the previous run has ended with every call answered, so that no more of its messages can come. */
  let isSettled = true;
  const usualScope = context.fresh("scope");

  const abandon = async (): Promise<void> => {
    await party?.end();
    party = undefined;
  };

  const open = async (order: RunOrder): Promise<LineParty> => {
    // Messages from a branch of the old run would be mistaken for messages of the new one.
    if (party !== undefined && !isSettled && context.setting.command !== undefined) await abandon();
    if (party !== undefined && !party.hasEnded()) {
      const late = await party.next(0);
      if (late !== undefined && isSettled) throw wrongMessage(late, "the run is over");
    }
    if (party === undefined || party.hasEnded()) {
      party = openLines(context, "runtime");
      isNew = true;
    }
    const { memory_scope: scope = usualScope, ...rest } = order;
    const run = { ...rest, ...(scope === null ? {} : { memory_scope: scope }) };
    await party.tell({ run: run as unknown as JsonObject });
    return party;
  };

  const begin = async (order: RunOrder): Promise<RunSoFar> => {
    let own = await open(order);
    let wasNew = isNew;
    isNew = false;
    isSettled = false;
    let unanswered = 0;
    const calls: Call[] = [];
    let ending: RunEnding | undefined;
    let slowest = 0;
    const hearCall = async (milliseconds: number): Promise<JsonObject | undefined> => {
      try {
        return await own.next(milliseconds);
      } catch (error) {
        // A runtime that ends after each run may have been about to end when this run was sent to it.
        if (wasNew || calls.length > 0 || !own.hasEnded()) throw error;
        own = await open(order);
        wasNew = true;
        isNew = false;
        return own.next(milliseconds);
      }
    };
    const next: RunSoFar["next"] = async (milliseconds = boundOf(context, "call")) => {
      if (ending !== undefined) return undefined;
      const begun = performance.now();
      const message = await hearCall(milliseconds);
      if (message === undefined) return undefined;
      // The start of a process shows nothing about its speed.
      if (!wasNew || calls.length > 0) slowest = Math.max(slowest, performance.now() - begun);
      const call = callIn(message);
      if (call !== undefined) {
        if (calls.some(({ id }) => id === call.id)) throw wrongMessage(message, "its id is that of an earlier call");
        calls.push(call);
        unanswered += 1;
        return call;
      }
      ending = endingIn(message);
      isSettled = unanswered === 0;
      return undefined;
    };
    return {
      calls,
      get ending() {
        return ending;
      },
      next,
      early: () =>
        next(
          Math.max(
            silenceMs,
            Math.min(boundOf(context, "silence"), (patienceFactor * slowest) / (context.setting.timeScale ?? 1)),
          ),
        ),
      answer({ id }, answer) {
        unanswered -= 1;
        return own.tell({ id, ...answer });
      },
    };
  };

  const finish: Runtime["finish"] = async (run, hands = {}, most = defaultMaxCalls) => {
    for (;;) {
      const call = await run.next();
      if (run.ending !== undefined) return { calls: run.calls, ending: run.ending };
      if (call === undefined)
        throw new TargetFailure(
          "timed-out",
          "answer",
          `the runtime neither calls nor ends within ${boundOf(context, "call")} ms`,
        );
      if (run.calls.length > most) {
        isSettled = false;
        return { calls: run.calls, ending: { cut: true } };
      }
      const count = run.calls.filter(({ kind }) => kind === call.kind).length;
      await run.answer(call, await (hands[call.kind] ?? usualHands[call.kind])(call.about, count));
    }
  };
  return { begin, finish, play: async (order, hands, most) => finish(await begin(order), hands, most) };
}

function callIn(message: JsonObject): Call | undefined {
  const named = kinds.filter((kind) => Object.hasOwn(message, kind));
  const [kind] = named;
  if (kind === undefined) return undefined;
  const { id, [kind]: about } = message;
  if (named.length > 1 || !isObject(about)) throw wrongMessage(message, `"${kind}" is not an object, or not alone`);
  if (typeof id !== "string" && typeof id !== "number")
    throw wrongMessage(message, "its id is neither text nor number");
  if (kind !== "model" && typeof about.name !== "string") throw wrongMessage(message, `"${kind}" has no name`);
  return { id, kind, about };
}

function endingIn(message: JsonObject): RunEnding {
  const { done, error } = message;
  if (isObject(done)) return { output: done.output ?? null };
  if (!isObject(error)) throw wrongMessage(message, `it is none of ${[...kinds, "done", "error"].join(", ")}`);
  const { message: text, unsupported } = error;
  return {
    error: typeof text === "string" ? text : JSON.stringify(error),
    ...(typeof unsupported === "string" ? { unsupported } : {}),
  };
}

function wrongMessage(message: JsonObject, why: string): TargetFailure {
  return new TargetFailure("errored", "answer", `the runtime writes ${quote(JSON.stringify(message))}: ${why}`);
}

/** Whether a runtime declared, before it called anything, that it does not support the order. */
export function isUnsupported({ calls, ending }: Finished): boolean {
  return "unsupported" in ending && calls.length === 0;
}

/** A run of an optional feature: skips the scenario if the runtime declares that it does not support it. */
export function mustBeSupported({ calls, ending }: Finished): Finished {
  if ("unsupported" in ending && calls.length === 0)
    throw new TargetSkip(`the runtime does not support ${quote(ending.unsupported ?? "")}`);
  return { calls, ending };
}

/** How a run ended, as the end of a sentence. */
export function endOf({ ending }: Pick<Finished, "ending">): string {
  if ("output" in ending) return `ends with the output ${quote(JSON.stringify(ending.output))}`;
  return "cut" in ending ? "does not end" : `ends in the error ${quote(ending.error)}`;
}

/** The names of the calls, in order. */
export function namesOf({ calls }: Pick<Finished, "calls">, kind: CallKind): string[] {
  return calls.filter((call) => call.kind === kind).map(({ about }) => String(about.name));
}

/** The number of calls of a kind. */
export function countOf({ calls }: Pick<Finished, "calls">, kind: CallKind): number {
  return calls.filter((call) => call.kind === kind).length;
}

export function isError({ ending }: Pick<Finished, "ending">): boolean {
  return "error" in ending;
}

/** The output of a run that ended with one. */
export function outputOf({ ending }: Pick<Finished, "ending">): Json | undefined {
  return "output" in ending ? ending.output : undefined;
}
