import type { Json, JsonObject, Judge, Profile, Protocol, Reason } from "../../../../../schemas/index.ts";
import type { Variant } from "../../../../packs/reference/variants/variant.ts";
import type { RelayClient } from "../../nostr/client.ts";
import type { TestKey } from "../../rules/keys.ts";

/** The transport of a message. */
export type MessageTransport = "http" | "websocket" | "nostr";

/** Why a message is refused, or an act impossible. */
export type RefusalCause =
  | "malformed-envelope"
  | "malformed-payload"
  | "broken-identity"
  | "missing-signature"
  | "wrong-signature"
  | "stale-timestamp"
  | "repeated-message"
  | "other-recipient"
  | "not-a-request"
  | "unsupported-version"
  | "unsupported-content"
  | "unknown-method"
  | "unknown-task"
  | "task-not-cancelable"
  | "task-over"
  | "too-large"
  | "rate-limit";

export interface AgentFault {
  cause: RefusalCause;
  message: string;
  data?: JsonObject;
}

export interface OwnedTask {
  id: string;
  contextId: string;
  /** Address of the sender that owns the task. */
  owner: string;
  state: string;
  /** Milliseconds since 1970 of the last change. */
  changedAt: number;
  artifacts: JsonObject[];
  history: JsonObject[];
  /** Payloads of the events so far, for those who follow it. */
  events: JsonObject[];
  followers: Set<() => void>;
  key?: string;
}

export interface AgentSettings {
  port?: number;
  profile?: "development" | "production";
  /** `requestsPerMinute`, or `requestsPerSecond`. */
  limits?: Readonly<Record<string, number>>;
  /** Whether too frequent requests are refused with status 200 in a message, and not with 429. */
  limitsInMessages?: boolean;
  /** A variant of the reference that judges messages otherwise. */
  variant?: string;
  /** Whether messages may leave out their recipient. */
  a2s?: boolean;
}

/** An agent at work. */
export interface RunningAgent {
  key: TestKey;
  identity: string;
  /** Base address of its HTTP interface. */
  url: string;
  settings: AgentSettings;
  policy: AgentDecisions;
  protocol: Protocol;
  judge: Judge;
  /** Milliseconds by which its clock is ahead of the machine's. */
  ahead: number;
  /** Ids of accepted messages, by the key that makes two messages the same; with the time of arrival. */
  memory: Map<string, number>;
  tasks: Map<string, OwnedTask>;
  /** The task that a message has created, by the identity of the message. */
  originals: Map<string, string>;
  /** How often a method has been carried out. */
  handled: number;
  /** Times of the requests of the last minute. */
  requests: number[];
  /** Called when the clock moves. */
  ticks: Set<() => void>;
  relays: RelayClient[];
  /** How it misreads and misjudges messages, if it is such a variant. */
  slip?: Variant;
  /** Ends open work when the agent closes. */
  ending: AbortController;
}

/** The subject of an answer. */
export interface About {
  agent: RunningAgent;
  way: MessageTransport;
  request: JsonObject;
  fault?: AgentFault | undefined;
}

/** The decisions of an agent. A variant changes some; the others follow the protocol. */
export interface AgentDecisions {
  /** Whether a breach of the rules refuses a message. */
  respects(reason: Reason, message: Json, way: MessageTransport): boolean;
  /** Reasons of its own to refuse a message, of which these are the bytes, before all others. */
  objects(message: JsonObject, agent: RunningAgent, bytes: Uint8Array): AgentFault | undefined;
  /** How it reads the text of a request over HTTP. */
  spells?: (text: string) => string;
  /** How it reads a message, before all else. */
  reads(message: Json): Json;
  /** The task that a payload names. */
  names(payload: JsonObject): Json | undefined;
  /** Called before a message is checked. */
  before(message: JsonObject, agent: RunningAgent): void;
  /** Whether a message of this type runs a method. */
  runs(type: Json | undefined): boolean;
  speaks(version: Json | undefined): boolean;
  /** Both times in seconds. */
  isFresh(stamp: number, now: number, message: JsonObject, way: MessageTransport): boolean;
  isOwn(to: Json | undefined, agent: RunningAgent): boolean;
  /** Whether messages come from the other network as well. */
  bridges: boolean;
  /** The identity of a message: messages with the same one are repetitions. */
  sameness(message: JsonObject, way: MessageTransport): string;
  /** Milliseconds for which an id is remembered. */
  remembers: number;
  /** Called when an id was added to the remembered ids, to drop others. */
  keeps(memory: Map<string, number>): void;
  /** Whether a repeated message is answered with the task of the first. */
  returnsOriginal: boolean;
  /** Whether an id is used up by a message that was refused for its signature. */
  consumes: boolean;
  largest: number;
  /** The code for a cause. */
  code(cause: RefusalCause): number;
  data(fault: AgentFault): JsonObject | undefined;

  /** Milliseconds of its own time for which a task is worked on after the answer to its message; undefined: it is done by then. */
  leisure: number | undefined;
  /** Milliseconds between the steps of work that are streamed. */
  step: number;
  /** Whether its pings go by the clock that the hook moves. */
  movesPings: boolean;
  /** Whether a resubscriber also gets earlier events. */
  replays: boolean;
  servesCard: boolean;
  offers(method: string): boolean;
  takesContent(mediaType: string): boolean;
  /** Whether a repeated idempotency key brings back the task that it opened; or refuses the message. */
  honoursKeys: boolean | "refuses";
  /** The existing task that a message without one continues, if any. */
  reopens(owner: string, agent: RunningAgent): OwnedTask | undefined;
  /** Whether a task accepts no more messages. */
  isOver(task: OwnedTask): boolean;
  /** The task that a message with one continues. */
  continues(task: OwnedTask, agent: RunningAgent): OwnedTask;
  isShown(task: OwnedTask, from: string): boolean;
  contextFor(owner: string, agent: RunningAgent): string | undefined;
  unknownTask(taskId: string, agent: RunningAgent): OwnedTask | undefined;
  /** The state after a cancellation; the cause if it is refused. */
  cancels(task: OwnedTask): string | RefusalCause;
  /** The effect of a look at a task. */
  looks(task: OwnedTask): void;
  history(history: readonly JsonObject[], length: number | undefined): JsonObject[] | undefined;
  /** A task as it is shown. */
  told(task: JsonObject, of: OwnedTask): JsonObject;
  card(card: JsonObject, agent: RunningAgent): JsonObject;
  servedCard(served: JsonObject, agent: RunningAgent): JsonObject;

  /** Makes the final form of each message before it is signed; undefined sends nothing. */
  says(message: JsonObject, about: About): JsonObject | undefined;
  signs(message: JsonObject, sign: (message: JsonObject) => JsonObject, about: About): JsonObject;
  /** The messages sent in place of one, and whether a stream ends behind the last. */
  sends(message: JsonObject, about: About): readonly JsonObject[];
  ends(about: About): boolean;
  /** Resumes a stream for a returning requester; otherwise refuses it. */
  resumes: boolean;
  /** How one message of a stream is written. */
  frame(text: string): string;
  streamType: string;
  /** Whether a stream is answered as one. */
  streams(way: MessageTransport): boolean;
  /** Whether a request for a stream over HTTP is neither answered nor closed. */
  hangs(about: Partial<About> & { agent: RunningAgent }): boolean;
  /** Status and headers of an answer over HTTP. */
  http(answer: HttpAnswer, about: Partial<About> & { agent: RunningAgent }): HttpAnswer;
  /** The content of a frame of a WebSocket. */
  socketFrame(text: string): string | Uint8Array;
  /** Milliseconds between pings. */
  pingsEvery: number;
  /** Kinds of Nostr events that it listens for, the kind that it answers with, and how it writes its answer. */
  kinds: readonly number[];
  kind: number;
  envelops(content: string, encrypt: (content: string) => string): string;
  recipientTag(internal: string): string[];
  trusts(pubkey: string, from: Json | undefined, address: string): boolean;
  cardTags(tags: Json[][]): Json[][];
  publishesTo(relays: readonly string[]): readonly string[];
}

export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
}

export function nowSeconds(agent: RunningAgent): number {
  return Date.now() + agent.ahead;
}

/** The members of the profile with the order of checks. */
export function stepsOf({ protocol }: RunningAgent): NonNullable<Profile["steps"]> {
  return protocol.profile.steps ?? [];
}
