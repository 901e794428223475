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

/** An order to run a document, with everything that the run can use. */
export interface RunOrder {
  document: JsonObject;
  input: Json;
  /** The MemoryScope of the user, or null for none; by default, all runs of a scenario share one. */
  memory_scope?: string | null;
  /** The tools of each MCP server, and the skills of each remote agent, by alias. */
  tools?: Record<string, string[]>;
  /** The names of the known transforms. */
  transforms?: string[];
  /** The settings that the model does not support. */
  model_lacks?: string[];
}

const kinds = ["model", "tool", "agent", "consent", "transform"] as const;
export type CallKind = (typeof kinds)[number];

/** A call-back of a runtime, with its content. */
export interface Call {
  id: Json;
  kind: CallKind;
  about: JsonObject;
}

/** How a run ended: with an output, with an error, or stopped by the suite because it made too many calls. */
export type RunEnding = { output: Json } | { error: string; unsupported?: string } | { stopped: true };

/** Answers call-backs of each kind; `count` is the number of calls of that kind so far, including this one. */
export type Hands = Partial<Record<CallKind, (about: JsonObject, count: number) => JsonObject | Promise<JsonObject>>>;

/** A run in progress. */
export interface RunInProgress {
  readonly calls: readonly Call[];
  /** Undefined until it has ended. */
  readonly ending: RunEnding | undefined;
  /** The next call-back; undefined if the run has ended, or if none arrives within these milliseconds. */
  next(milliseconds?: number): Promise<Call | undefined>;
  /** Waits for a call-back that should not arrive. The wait is longer for a slower runtime. */
  nextUnexpectedCall(): Promise<Call | undefined>;
  answer(call: Call, answer: JsonObject): Promise<void>;
}

export interface FinishedRun {
  calls: readonly Call[];
  ending: RunEnding;
}

export interface Runtime {
  begin(order: RunOrder): Promise<RunInProgress>;
  /** Answers calls until the run ends, or stops it after `maxCalls` calls. */
  finish(runSoFar: RunInProgress, hands?: Hands, maxCalls?: number): Promise<FinishedRun>;
  /** Starts a run and finishes it. */
  play(order: RunOrder, hands?: Hands, maxCalls?: number): Promise<FinishedRun>;
}

/** How long a runtime must be silent, at least, to count as waiting. */
const silenceMs = 250;
/** The required silence as a multiple of the slowest call, up to the bound. */
const patienceFactor = 3;
/** More calls than any scenario needs. */
const defaultMaxCalls = 60;

const usualAnswers: Required<Hands> = {
  model: () => ({ content: "done", usage: { input: 10, output: 5 } }),
  tool: () => ({ output: "nothing" }),
  agent: () => ({ output: {} }),
  consent: () => ({ granted: true }),
  transform: () => ({ output: null }),
};

/** The runtime of a scenario: started with the first run, and again if it has ended since. */
export function runtimeOf(context: ScenarioContext): Runtime {
  return new ScenarioRuntime(context);
}

class ScenarioRuntime implements Runtime {
  readonly context: ScenarioContext;
  readonly #commonScope: string;
  #party: LineParty | undefined;
  /** Whether the runtime was started and has not received an order yet. */
  #isNew = true;
  /** Whether the previous run has ended with every call answered, so that no more messages can arrive from it. */
  #isSettled = true;

  constructor(context: ScenarioContext) {
    this.context = context;
    this.#commonScope = context.fresh("scope");
  }

  async begin(order: RunOrder): Promise<ObservedRun> {
    const runSoFar = new ObservedRun(this, order, await this.send(order));
    this.#isSettled = false;
    return runSoFar;
  }

  async finish(runSoFar: RunInProgress, hands: Hands = {}, maxCalls = defaultMaxCalls): Promise<FinishedRun> {
    for (;;) {
      const call = await runSoFar.next();
      if (runSoFar.ending !== undefined) return { calls: runSoFar.calls, ending: runSoFar.ending };
      if (call === undefined) {
        const problem = `the runtime neither calls nor ends within ${boundOf(this.context, "call")} ms`;
        throw new TargetFailure("timed-out", "answer", problem);
      }
      if (runSoFar.calls.length > maxCalls) {
        this.#isSettled = false;
        return { calls: runSoFar.calls, ending: { stopped: true } };
      }
      const count = runSoFar.calls.filter(({ kind }) => kind === call.kind).length;
      await runSoFar.answer(call, await (hands[call.kind] ?? usualAnswers[call.kind])(call.about, count));
    }
  }

  async play(order: RunOrder, hands?: Hands, maxCalls?: number): Promise<FinishedRun> {
    return this.finish(await this.begin(order), hands, maxCalls);
  }

  /** Sends an order to the runtime, which is started if it is not running. */
  async send(order: RunOrder): Promise<StartedParty> {
    const party = await this.#openParty();
    const isNew = this.#isNew;
    const { memory_scope: scope = this.#commonScope, ...otherMembers } = order;
    const run = { ...otherMembers, ...(scope === null ? {} : { memory_scope: scope }) };
    await party.tell({ run: run as unknown as JsonObject });
    this.#isNew = false;
    return { party, isNew };
  }

  /** Records the end of a run, and whether no more messages can arrive from it. */
  endRun(isSettled: boolean): void {
    this.#isSettled = isSettled;
  }

  async #openParty(): Promise<LineParty> {
    // Late messages of the previous run would be mistaken for messages of the new one.
    if (this.#party !== undefined && !this.#isSettled && this.context.setting.command !== undefined) {
      await this.#party.end();
      this.#party = undefined;
    }
    if (this.#party !== undefined && !this.#party.hasEnded()) {
      const leftover = await this.#party.next(0);
      if (leftover !== undefined && this.#isSettled) throw wrongMessage(leftover, "the run is over");
    }
    if (this.#party === undefined || this.#party.hasEnded()) {
      this.#party = openLines(this.context, "runtime");
      this.#isNew = true;
    }
    return this.#party;
  }
}

/** A runtime that has received an order; `isNew` if that is its first one. */
interface StartedParty {
  party: LineParty;
  isNew: boolean;
}

/** A run in progress, as the suite observes it. */
class ObservedRun implements RunInProgress {
  readonly calls: Call[] = [];
  ending: RunEnding | undefined;
  readonly #runtime: ScenarioRuntime;
  readonly #order: RunOrder;
  #started: StartedParty;
  #unansweredCount = 0;
  /** The runtime's slowest message so far, in milliseconds. */
  #slowestMs = 0;

  constructor(runtime: ScenarioRuntime, order: RunOrder, started: StartedParty) {
    this.#runtime = runtime;
    this.#order = order;
    this.#started = started;
  }

  async next(milliseconds: number = boundOf(this.#runtime.context, "call")): Promise<Call | undefined> {
    if (this.ending !== undefined) return undefined;
    const startedAt = performance.now();
    const message = await this.#receive(milliseconds);
    if (message === undefined) return undefined;
    // The first call of a new process includes its start, so it does not show the runtime's speed.
    if (!this.#started.isNew || this.calls.length > 0)
      this.#slowestMs = Math.max(this.#slowestMs, performance.now() - startedAt);
    const call = callIn(message);
    if (call === undefined) {
      this.ending = endingIn(message);
      this.#runtime.endRun(this.#unansweredCount === 0);
      return undefined;
    }
    if (this.calls.some(({ id }) => id === call.id))
      throw wrongMessage(message, "its id repeats that of an earlier call");
    this.calls.push(call);
    this.#unansweredCount += 1;
    return call;
  }

  nextUnexpectedCall(): Promise<Call | undefined> {
    const { context } = this.#runtime;
    const patienceMs = (patienceFactor * this.#slowestMs) / (context.setting.timeScale ?? 1);
    return this.next(Math.max(silenceMs, Math.min(boundOf(context, "silence"), patienceMs)));
  }

  answer({ id }: Call, answer: JsonObject): Promise<void> {
    this.#unansweredCount -= 1;
    return this.#started.party.tell({ id, ...answer });
  }

  async #receive(milliseconds: number): Promise<JsonObject | undefined> {
    const { party, isNew } = this.#started;
    try {
      return await party.next(milliseconds);
    } catch (error) {
      // A runtime that ends after each run may have been about to end when this run was sent to it.
      if (isNew || this.calls.length > 0 || !party.hasEnded()) throw error;
      const restarted = await this.#runtime.send(this.#order);
      this.#started = { ...restarted, isNew: true };
      return restarted.party.next(milliseconds);
    }
  }
}

function callIn(message: JsonObject): Call | undefined {
  const presentKinds = kinds.filter((kind) => Object.hasOwn(message, kind));
  const [kind] = presentKinds;
  if (kind === undefined) return undefined;
  const { id, [kind]: about } = message;
  if (presentKinds.length > 1 || !isObject(about))
    throw wrongMessage(message, `"${kind}" is not an object, or not the only kind of call`);
  if (typeof id !== "string" && typeof id !== "number")
    throw wrongMessage(message, "its id is neither a string nor a number");
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
export function isUnsupported({ calls, ending }: FinishedRun): boolean {
  return "unsupported" in ending && calls.length === 0;
}

/** Returns a run of an optional feature. Skips the scenario if the runtime declares that it does not support the feature. */
export function requireSupport({ calls, ending }: FinishedRun): FinishedRun {
  if ("unsupported" in ending && calls.length === 0)
    throw new TargetSkip(`the runtime does not support ${quote(ending.unsupported ?? "")}`);
  return { calls, ending };
}

/** How a run ended, as the end of a sentence. */
export function describeEnd({ ending }: Pick<FinishedRun, "ending">): string {
  if ("output" in ending) return `ends with the output ${quote(JSON.stringify(ending.output))}`;
  return "stopped" in ending ? "does not end" : `ends in the error ${quote(ending.error)}`;
}

/** The names of the calls, in order. */
export function namesOf({ calls }: Pick<FinishedRun, "calls">, kind: CallKind): string[] {
  return calls.filter((call) => call.kind === kind).map(({ about }) => String(about.name));
}

/** The number of calls of a kind. */
export function countOf({ calls }: Pick<FinishedRun, "calls">, kind: CallKind): number {
  return calls.filter((call) => call.kind === kind).length;
}

export function isError({ ending }: Pick<FinishedRun, "ending">): boolean {
  return "error" in ending;
}

/** The output of a run that ended with one. */
export function outputOf({ ending }: Pick<FinishedRun, "ending">): Json | undefined {
  return "output" in ending ? ending.output : undefined;
}
