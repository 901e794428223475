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
  /** The reason in a sentence; absent only if the outcome is `conforms`. */
  why?: string;
  /** The reason as facts; absent if the outcome contains them. */
  cause?: Cause;
  level?: Level;
  exchanges?: readonly HttpExchange[];
  trace?: readonly Sent[];
}

/** An HTTP answer as passed to scenarios. */
export interface HttpReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
  /** Undefined if the body is not JSON. */
  json: Json | undefined;
  exchange: HttpExchange;
  /** The time at which the answer was complete, in milliseconds of a monotonic clock. */
  at: number;
}

/**
 * Evidence that a rule is kept or broken: an answer of the target, a request to a callback, the result of a hook (with its parameters), or
 * `texts`. Each text is an id or a whole message, and refers to the last message that contains it.
 */
export type Evidence = HttpReply | Arrival | { returned: JsonObject } | { texts: readonly string[] };

/** An item of a stream: a server-sent event with its fields `event` and `id`, or a line of JSON. */
export interface StreamItem {
  data: string;
  event?: string;
  id?: string;
}

/** How a stream ended: by itself, by a broken connection, or at the read limit; `open` while it lasts. */
export type StreamEnd = "closed" | "cut" | "limit" | "open";

/** An answer that arrives item by item. The body of any other answer is its only item. */
export interface StreamReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The next item; "end" after the last one, "silence" if none arrives within the given milliseconds. Throws a TargetFailure once the stream is cut or too long. */
  next(milliseconds?: number): Promise<{ item: StreamItem } | "end" | "silence">;
  ended(): StreamEnd;
  /** Breaks the connection. */
  cut(): void;
}

/** A connection with messages both ways: a WebSocket, or the stdin and stdout of a command. */
export interface Channel extends Pick<StreamReply, "next" | "ended" | "cut"> {
  /** Sends a text as one message. */
  tell(text: string): void;
  /** Closes the suite's side: a socket by the closing handshake, with a code (absent: 1000), or the input of a command. */
  close(code?: number): void;
  /** The close code of a socket, or the exit code of a command; undefined while it is open, or if there is no code. */
  code(): number | undefined;
}

/** The answer to a request for a WebSocket; a refusal has no channel. */
export interface SocketReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The body of a refusal. */
  text: string;
  channel: Channel | undefined;
}

/** A message that was not sent as a request or a callback. */
export interface Noted extends Sent {
  /** The start line: a request line, or the status of an answer. */
  head?: string;
  /** A message from before the scenario, repeated for context. */
  retold?: true;
}

/** The environment of a scenario. Every call is bounded in time and size; a target that breaks down ends the scenario as `errored`. */
export interface ScenarioContext {
  /**
   * Sends a request to the target; the path begins with a slash. If the answer asks to retry later, this waits (`later`), unless
   * `isHurried`. Throws a TargetFailure if an agent is denied access to its own resources.
   */
  send(request: {
    method: string;
    path: string;
    body?: Json | string;
    /** The exact bytes of the body, instead of `body`. */
    bytes?: Uint8Array;
    as?: "a" | "b" | "nobody";
    headers?: Record<string, string>;
    waitMs?: number;
    isHurried?: boolean;
    /** Whether the scenario judges a 403 itself. Otherwise it counts as a wrong credential. */
    isForbidden?: boolean;
    /** The name of the sender in reports and recordings (absent: touchstone). */
    name?: string;
  }): Promise<HttpReply>;
  /** Requests a stream of events, or of JSON lines, with the credentials of a party. */
  stream(request: {
    method: string;
    path: string;
    body: string;
    headers: Readonly<Record<string, string>>;
    as: "a" | "b" | "nobody";
  }): Promise<StreamReply>;
  /** Requests a WebSocket at a path, with the credentials of a party. Its items are messages; a binary message is the text `(binary)`. */
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
  /** Requests a URL of the target, with the credential of `a`; undefined for a URL at a different host. */
  fetch(url: string): Promise<HttpReply | undefined>;
  /** Calls a hook that the scenario needs. */
  hook(name: Need, parameters: JsonObject): Promise<JsonObject>;
  /** Returns the violations of a document's schema and semantic rules in an instance. */
  violations(document: string, instance: Json): Promise<readonly Violation[]>;
  /** Opens an address of the suite for callbacks. It answers with the reactions in turn, and then repeats the last one. `tail` ends the URL. */
  callback(reactions: readonly Reaction[], tail?: string): Promise<Callback>;
  /** Whether the given number of requests have arrived at a callback, now or within the given real milliseconds, by the setting's scale. */
  come(callback: Callback, count: number, milliseconds: number): Promise<boolean>;
  /** Whether the setting has something that the scenario does not need but can use. */
  has(need: Need): boolean;
  /**
   * Records the result of an expectation: the rule is kept if the condition is true. `level` replaces the rule's own level for a breach. The
   * evidence is the last message of the target, unless other evidence is given.
   */
  expect(rule: string, holds: boolean, why: string, ...more: readonly (Level | Evidence | undefined)[]): void;
  /** Records something on which readings of the specification differ. */
  note(rule: string, why: string): void;
  /** Records why a rule could not be judged with this target. `cause` has the facts, unless the scenario simply proved nothing. */
  skip(rule: string, why: string, cause?: Cause): void;
  /** A string that no other run has used, for idempotency keys, run ids and canaries. Drawn from the run's seed. */
  fresh(prefix: string): string;
  /** Waits by the target's clock, through the clock hook if there is one. */
  pass(milliseconds: number): Promise<void>;
  /** Waits for real milliseconds, by the setting's scale: for events that the clock hook does not move. */
  wait(milliseconds: number): Promise<void>;
  /** The target's time in milliseconds since 1970: by the clock hook, or else by the `Date` of its last answer. */
  now(): Promise<number>;
  agents: { a: string; b?: string };
  /** The setting, for the protocol's own bindings. */
  readonly setting: Setting;
  /** Aborted when the scenario is over: at its end, if its time is up, or if the run is interrupted. */
  readonly signal: AbortSignal;
  /** Registers a cleanup for the end of the scenario, in any case. The last one runs first. It may send requests, but not call hooks. */
  closing(close: () => Promise<void> | void): void;
  /** Records a message between the parties that `send` and `callback` do not carry. Findings show the last messages. */
  record(sent: Noted): void;
}

/** A scenario: steps against a target, and the expected results. */
export interface Scenario {
  name: string;
  /** The kind of its results; absent: a scenario. */
  kind?: Exclude<ResultKind, "vector">;
  /** The party that it is played against, if the protocol's profile names several; absent: the first. */
  side?: string;
  /** Completes the sentence "this shows …". */
  says: string;
  /** Ids of the rules that its expectations are tied to. */
  rules: readonly string[];
  /** Rules that are never broken here as a consequence of another breach, although their `follows` names possible causes. */
  independent?: readonly string[];
  needs: readonly Need[];
  /** Milliseconds after which the suite stops it, by the target's time scale. */
  withinMs: number;
  /** The maximum milliseconds that it waits for a target without a movable clock; absent: two seconds. Shown before a run. */
  waits?: number;
  /** It moves the clock itself, through the hook `clock` or at the party's address, and waits only if there is neither. */
  asksClock?: true;
  /**
   * It may wait just as long even if the clock is moved, because the target may have its own timers. The value names the member of the hook's
   * answer that says whether `clock` moves these timers too; `true` if no member says so.
   */
  ownTimers?: true | "pushes";
  /** It exceeds the number of requests that the target allows in this many milliseconds, and waits until more are allowed. Announced before a run. */
  reachesLimit?: number;
  /** It is slow, so the quick subset leaves it out. */
  slow?: true;
  /** For a scenario given as data: the text of its requests and expectations. If it changes, a frozen certification profile no longer applies. */
  content?: string;
  /** For a scenario in code, in place of `content`: raise the number if the code sends or expects something else. Absent: 1. */
  version?: number;
  play(context: ScenarioContext): Promise<void>;
}

/** A default for how long scenarios wait for an event. */
export interface TimeBound {
  /** The name under which a configuration sets it. */
  name: string;
  seconds: number;
  /** The awaited event. */
  says: string;
}
