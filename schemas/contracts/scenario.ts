import type { Cause } from "../cause.ts";
import type { Json, JsonObject } from "../json.ts";
import type { HttpExchange, Outcome, ResultKind, Sent } from "../report.ts";
import type { Level } from "../rule.ts";
import type { Arrival, Callback, Reaction } from "./callback.ts";
import type { Setting } from "./setting.ts";
import type { Violation } from "./violation.ts";

/**
 * A requirement of a scenario: a hook of its side, by its name in the profile; or `url` or `command` (the party's address), `credential`,
 * `second-credential`, `receiver` (an address under which the party reaches the suite), `development` or `production` (its setup).
 */
export type Need = string;

/** The result of one expectation of a scenario. */
export interface ScenarioFinding {
  rule: string;
  outcome: Extract<Outcome, "conforms" | "violates" | "warns" | "disputed" | "skipped">;
  /** A sentence; always there unless it conforms. */
  why?: string;
  /** The reason as facts; absent if the outcome contains them. */
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
  /** Undefined if the body is not JSON. */
  json: Json | undefined;
  exchange: HttpExchange;
  /** When the answer was complete, in milliseconds of a monotonic clock. */
  at: number;
}

/**
 * Evidence that a rule is kept or broken: an answer of the target, a request to a callback, the result of a hook, or, for each of these
 * texts, the last message that contains it. A text is an id, or a whole message; the evidence of a hook contains its parameters as well.
 */
export type Evidence = HttpReply | Arrival | { returned: JsonObject } | { texts: readonly string[] };

/** An item of a stream: of server-sent events with their fields `event` and `id`, or a JSON text a line. */
export interface StreamItem {
  data: string;
  event?: string;
  id?: string;
}

/** How a stream ended: by itself, by a broken connection, or at the limit of reading; `open` while it lasts. */
export type StreamEnd = "closed" | "cut" | "limit" | "open";

/** An answer that comes item by item; of any other answer its body is the only item. */
export interface StreamReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The next item; "end" after the last one, "silence" if none comes within the given milliseconds. Throws a TargetFailure once it is cut or too long. */
  next(milliseconds?: number): Promise<{ item: StreamItem } | "end" | "silence">;
  ended(): StreamEnd;
  /** Breaks the connection. */
  cut(): void;
}

/** A connection with messages both ways: a WebSocket, or the stdin and stdout of a command. */
export interface Channel extends Pick<StreamReply, "next" | "ended" | "cut"> {
  /** Sends a text as one message. */
  tell(text: string): void;
  /** Ends the own side: a socket by the closing handshake, with a code (absent: 1000), or the input of a command. */
  close(code?: number): void;
  /** The close code of a socket, or the exit code of a command; undefined before, and without a code. */
  code(): number | undefined;
}

/** The answer to a request for a WebSocket: without a channel a refusal. */
export interface SocketReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The body of a refusal. */
  text: string;
  channel: Channel | undefined;
}

/** A message that was sent otherwise than by requests and callbacks. */
export interface Noted extends Sent {
  /** The line before the text: the request line, or the status of an answer. */
  head?: string;
  /** It happened before the scenario, and is repeated. */
  retold?: true;
}

/** The environment of a scenario. Every call is bounded in time and size; a target that breaks down ends the scenario as `errored`. */
export interface ScenarioContext {
  /**
   * Sends a request to the target; the path begins with a slash. If the answer asks to come again later, this waits (`later`), except in a
   * hurry. Throws a TargetFailure if an agent is shut out of its own resources.
   */
  send(request: {
    method: string;
    path: string;
    body?: Json | string;
    /** Instead of a body: its bytes as they are. */
    bytes?: Uint8Array;
    as?: "a" | "b" | "nobody";
    headers?: Record<string, string>;
    waitMs?: number;
    isHurried?: boolean;
    /** Whether the scenario judges 403 itself, which would otherwise show a wrong credential. */
    isForbidden?: boolean;
    /** The name of the sender in reports and recordings (absent: touchstone). */
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
  /** Asks for a WebSocket at a path, with the credentials of a party. Its items are messages; a binary message is the text `(binary)`. */
  socket(request: {
    path: string;
    /** Names in lower case. */
    headers: Readonly<Record<string, string>>;
    as: "a" | "b" | "nobody";
  }): Promise<SocketReply>;
  /** Starts the command of the run, whose lines are items. Skips the scenario if the run has none. */
  start(): Promise<Channel>;
  /**
   * Waits as long as an answer asks, by 429 or by the profile, after `tries` attempts, and returns the milliseconds: 0 if it does not ask,
   * or asks for too much. For the protocol's own bindings.
   */
  later(answer: Pick<HttpReply, "status" | "headers" | "json">, tries: number): Promise<number>;
  /** Reads a URL that the target gave, with the credential of `a`; undefined for one at another host. */
  fetch(url: string): Promise<HttpReply | undefined>;
  /** Calls a hook that the scenario needs. */
  hook(name: Need, parameters: JsonObject): Promise<JsonObject>;
  /** The violations of an instance of a document, by its schema and the semantic rules. */
  violations(document: string, instance: Json): Promise<readonly Violation[]>;
  /** An address of the suite's own for callbacks; it answers in turn, and the last way from then on. `tail` ends the URL. */
  callback(reactions: readonly Reaction[], tail?: string): Promise<Callback>;
  /** Whether the given number of requests have come to a callback, now or within the given real milliseconds, by the setting's scale. */
  come(callback: Callback, count: number, milliseconds: number): Promise<boolean>;
  /** Whether something is there that the scenario does not need but can use. */
  has(need: Need): boolean;
  /**
   * Records the result of an expectation: the rule holds if the condition does. A level other than the rule's own gives the gravity of a
   * breach. The evidence is the last message of the target, unless one or more others are given.
   */
  expect(rule: string, holds: boolean, why: string, ...more: readonly (Level | Evidence | undefined)[]): void;
  /** Notes something on which readings differ. */
  note(rule: string, why: string): void;
  /** Records why a rule could not be judged, or not with this target; with facts, unless the scenario simply showed nothing. */
  skip(rule: string, why: string, cause?: Cause): void;
  /** A text that no other run has used: idempotency keys, run ids, canaries. Drawn from the run's seed. */
  fresh(prefix: string): string;
  /** Waits by the target's clock, through the clock hook if there is one. */
  pass(milliseconds: number): Promise<void>;
  /** Waits in real milliseconds, by the setting's scale: for a target with a clock that is moved in another way, if at all. */
  wait(milliseconds: number): Promise<void>;
  /** The target's time in milliseconds since 1970: by the clock hook, or else by the `Date` of its last answer. */
  now(): Promise<number>;
  agents: { a: string; b?: string };
  /** The setting, for the protocol's own bindings. */
  readonly setting: Setting;
  /** Aborted when the scenario is over: at its end, when its time is up, when the run is interrupted. */
  readonly signal: AbortSignal;
  /** Closes something at the end of the scenario, in any case; the last one is closed first. Requests may be sent for that, and no hooks called. */
  closing(close: () => Promise<void> | void): void;
  /** Notes a message between the parties on another way than `send` and `callback`; findings show the last ones. */
  record(sent: Noted): void;
}

/** A scenario: steps against a target, and the expected results. */
export interface Scenario {
  name: string;
  /** The kind of its results; absent: a scenario. */
  kind?: Exclude<ResultKind, "vector">;
  /** The party it is played against, if the protocol's profile names several; absent: the first. */
  side?: string;
  /** Completes the sentence "this shows …". */
  says: string;
  /** Ids of the rules that its expectations are tied to. */
  rules: readonly string[];
  /** Rules with a breach here that follows from no other breach (`follows` of the rule): no step could have caused it. */
  independent?: readonly string[];
  needs: readonly Need[];
  /** Milliseconds after which it is given up; by the target's time scale. */
  withinMs: number;
  /** The most milliseconds that it waits for a target with a clock that cannot be moved; absent: two seconds. Shown before a run. */
  waits?: number;
  /** It asks the party itself for the hook `clock`, at its address too, and waits only if there is none. */
  asksClock?: true;
  /**
   * It may wait as long even with a moved clock, for a target with its own timers; the value is the member with which the hook `clock` may
   * say that it moves these too.
   */
  ownTimers?: true | "pushes";
  /** It exceeds the number of requests that the target allows in this many milliseconds, and waits until more are allowed. Announced before a run. */
  reachesLimit?: number;
  /** It is slow, and shows only its own rules. */
  slow?: true;
  /** All that it asks and expects, as text, if it is data. A frozen certification profile no longer fits if this changes. */
  content?: string;
  /** The same for a scenario in code: raise it when the code asks or expects something else. Absent: 1. */
  version?: number;
  play(context: ScenarioContext): Promise<void>;
}

/** For how long scenarios wait for something, by default. */
export interface TimeBound {
  /** Under which a configuration sets it. */
  name: string;
  seconds: number;
  /** The awaited event. */
  says: string;
}
