import type { Cause } from "../cause.ts";
import type { Json, JsonObject } from "../json.ts";
import type { HttpExchange, Outcome, ResultKind, Sent } from "../report.ts";
import type { Level } from "../rule.ts";
import type { Arrival, Callback, Reaction } from "./callback.ts";
import type { Setting } from "./setting.ts";
import type { Violation } from "./violation.ts";

/**
 * What a scenario must be given: a hook of its side, by its name in the profile; or `url` or `command` (where the party is), `credential`,
 * `second-credential`, `receiver` (an address under which the party reaches the suite), `development` or `production` (how it is set up).
 */
export type Need = string;

/** What one expectation of a scenario came to. */
export interface ScenarioFinding {
  rule: string;
  outcome: Extract<Outcome, "conforms" | "violates" | "warns" | "disputed" | "skipped">;
  /** A sentence; always there unless it conforms. */
  why?: string;
  /** The same as facts; absent: what its outcome says. */
  cause?: Cause;
  level?: Level;
  exchanges?: readonly HttpExchange[];
  trace?: readonly Sent[];
}

/** An HTTP answer as a scenario sees it. */
export interface HttpReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
  /** Undefined when the body is no JSON. */
  json: Json | undefined;
  exchange: HttpExchange;
  /** When the answer was complete, in milliseconds of a monotonic clock. */
  at: number;
}

/**
 * What shows that a rule is kept or broken: an answer of the target, what it sent to a callback, what a hook returned, or of each of these texts
 * the last message that holds it. A text is an id, or a whole message; the answer of a hook holds what the hook was given as well.
 */
export type Evidence = HttpReply | Arrival | { returned: JsonObject } | { texts: readonly string[] };

/** An item of a stream: of server-sent events with their fields `event` and `id`, or a JSON text a line. */
export interface StreamItem {
  data: string;
  event?: string;
  id?: string;
}

/** How a stream ended: by itself, by a connection that broke, or since it was longer than what is read; open while it lasts. */
export type StreamEnd = "closed" | "cut" | "limit" | "open";

/** An answer that comes item by item; of any other answer its body is the only item. */
export interface StreamReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The next item; "end" after the last one, "silence" if none comes within so many milliseconds. Throws a TargetFailure once it is cut or too long. */
  next(milliseconds?: number): Promise<{ item: StreamItem } | "end" | "silence">;
  ended(): StreamEnd;
  /** Breaks the connection. */
  cut(): void;
}

/** What went by another way than requests and callbacks. */
export interface Noted extends Sent {
  /** What goes before the text: the line of a request, or the status of an answer. */
  head?: string;
  /** It is about what there was before the scenario, and is told again. */
  retold?: true;
}

/** What a scenario is played with. Every call is bounded in time and size; a target that breaks down ends the scenario as `errored`. */
export interface ScenarioContext {
  /**
   * A request to the target; the path begins with a slash. An answer that says when to come again is waited out (`later`), except in a hurry.
   * Throws a TargetFailure when an agent is shut out of what is its own.
   */
  send(request: {
    method: string;
    path: string;
    body?: Json | string;
    as?: "a" | "b" | "nobody";
    headers?: Record<string, string>;
    waitMs?: number;
    isHurried?: boolean;
    /** What whoever asks is called in what is shown and recorded (absent: touchstone). */
    name?: string;
  }): Promise<HttpReply>;
  /** Asks for a stream of events, or of JSON lines, with the credentials of a party. */
  stream(request: {
    method: string;
    path: string;
    body: string;
    headers: Readonly<Record<string, string>>;
    as: "a" | "b" | "nobody";
  }): Promise<StreamReply>;
  /**
   * Waits as long as an answer asks, by 429 or as the profile says, when it was asked again so many times already, and gives the milliseconds:
   * 0 where it does not ask, or for too much. For bindings of the protocol's own.
   */
  later(answer: Pick<HttpReply, "status" | "headers" | "json">, tries: number): Promise<number>;
  /** Reads a URL that the target gave, with the credential of `a`; undefined for one at another host. */
  fetch(url: string): Promise<HttpReply | undefined>;
  /** Calls a hook that the scenario needs. */
  hook(name: Need, parameters: JsonObject): Promise<JsonObject>;
  /** What the schema and the rules beyond it have against an instance of a document. */
  violations(document: string, instance: Json): Promise<readonly Violation[]>;
  /** An address of the suite's own for callbacks; it answers in turn, and the last way from then on. `tail` ends the URL. */
  callback(reactions: readonly Reaction[], tail?: string): Promise<Callback>;
  /** Whether so many requests have come to a callback, now or within so many real milliseconds, by the setting's scale. */
  come(callback: Callback, count: number, milliseconds: number): Promise<boolean>;
  /** Whether something is there that the scenario does not need but can use. */
  has(need: Need): boolean;
  /**
   * Says what an expectation came to: the rule holds when the condition does. A level other than the rule's own says how grave a breach is. What
   * shows it is the last message of the target, unless another is given, or several.
   */
  expect(rule: string, holds: boolean, why: string, ...more: readonly (Level | Evidence | undefined)[]): void;
  /** Notes something on which readings differ. */
  note(rule: string, why: string): void;
  /** Says why a rule could not be judged, or not with this target; as facts, where there is more to it than that nothing is shown. */
  skip(rule: string, why: string, cause?: Cause): void;
  /** A text that no other run has used: idempotency keys, run ids, canaries. Drawn from the run's seed. */
  fresh(prefix: string): string;
  /** Waits for so long by the target's clock, through the clock hook where there is one. */
  pass(milliseconds: number): Promise<void>;
  /** Waits for so many real milliseconds, by the setting's scale: where the target's clock is moved, if it can be, in another way. */
  wait(milliseconds: number): Promise<void>;
  /** The target's time in milliseconds since 1970: by the clock hook, or else by the `Date` of its last answer. */
  now(): Promise<number>;
  agents: { a: string; b?: string };
  /** What the party is played with, for bindings of the protocol's own. */
  readonly setting: Setting;
  /** Aborted when the scenario is over: at its end, when its time is up, when the run is interrupted. */
  readonly signal: AbortSignal;
  /** Closes something with the scenario, whatever ends it; what came last is closed first. */
  closing(close: () => Promise<void> | void): void;
  /** Notes what went between the parties by another way than `send` and `callback`; findings show the last of it. */
  record(sent: Noted): void;
}

/** One story: what is done to a target, and what must be seen. */
export interface Scenario {
  name: string;
  /** What its results are of; absent: a scenario. */
  kind?: Exclude<ResultKind, "vector">;
  /** Which party it is played against, where the protocol's profile names several; absent: the first of them. */
  side?: string;
  /** Completes the sentence "this shows …". */
  says: string;
  /** Ids of the rules that its expectations are tied to. */
  rules: readonly string[];
  /** Those whose breach here follows from no other's (`follows` of the rule): nothing is done by which that could have brought it about. */
  independent?: readonly string[];
  needs: readonly Need[];
  /** Milliseconds after which it is given up; by the target's time scale. */
  withinMs: number;
  /** Milliseconds that it waits, at most, for a target whose clock cannot be moved; absent: two seconds at most. Told before a run. */
  waits?: number;
  /** It asks the party itself for the hook `clock`, at its address too, and waits only where it has none. */
  asksClock?: true;
  /** It may wait as long where the clock is moved, for a target that has timers of its own; the member by which the hook `clock` may say that it moves these too. */
  ownTimers?: true | "pushes";
  /** It goes beyond the requests that the target lets through in so many milliseconds, and waits until that lets it go on. Told before a run. */
  reachesLimit?: number;
  /** It takes long, and shows of a target only its own rules. */
  slow?: true;
  play(context: ScenarioContext): Promise<void>;
}

/** For how long scenarios wait for something, by default. */
export interface TimeBound {
  /** Under which a configuration sets it. */
  name: string;
  seconds: number;
  /** What is waited for. */
  says: string;
}
