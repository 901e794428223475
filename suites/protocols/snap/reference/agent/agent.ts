import type { Json, JsonObject, Judge, Profile, Protocol, Reason } from "../../../../../schemas/index.ts";
import type { Variant } from "../../../../packs/reference/variants/variant.ts";
import type { RelayClient } from "../../nostr/client.ts";
import type { TestKey } from "../../rules/keys.ts";

/** The transport of a message. */
export type MessageTransport = "http" | "websocket" | "nostr";

/** Why a message is refused, or an action is impossible. */
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
  /** The address of the sender that owns the task. */
  owner: string;
  state: string;
  /** The time of the last change, in milliseconds since 1970. */
  changedAt: number;
  artifacts: JsonObject[];
  history: JsonObject[];
  /** Payloads of the events so far, for subscribers. */
  events: JsonObject[];
  followers: Set<() => void>;
  key?: string;
}

export interface AgentSettings {
  port?: number;
  profile?: "development" | "production";
  /** `requestsPerMinute`, or `requestsPerSecond`. */
  limits?: Readonly<Record<string, number>>;
  /** Whether too frequent requests are refused by a message with status 200 instead of by status 429. */
  limitsInMessages?: boolean;
  /** The variant of the reference, which judges messages wrongly. */
  variant?: string;
  /** Whether messages may omit their recipient. */
  a2s?: boolean;
}

/** A running agent. */
export interface RunningAgent {
  key: TestKey;
  identity: string;
  /** Base address of its HTTP interface. */
  url: string;
  settings: AgentSettings;
  policy: AgentDecisions;
  protocol: Protocol;
  judge: Judge;
  /** The difference of its clock from the machine's, in milliseconds. */
  ahead: number;
  /** Ids of accepted messages with their time of arrival, by the key that identifies a message. */
  memory: Map<string, number>;
  tasks: Map<string, OwnedTask>;
  /** The tasks that messages have created, by the identity of the message. */
  originals: Map<string, string>;
  /** The number of methods that were carried out. */
  handledCount: number;
  /** The times of the requests in the last minute. */
  requests: number[];
  /** Called when the clock moves. */
  ticks: Set<() => void>;
  relays: RelayClient[];
  /** The mistake with which a variant reads or judges messages. */
  slip?: Variant;
  /** Aborts open work when the agent closes. */
  ending: AbortController;
}

/** The request that an answer is for, and how the agent judged it. */
export interface AnswerContext {
  agent: RunningAgent;
  transport: MessageTransport;
  request: JsonObject;
  fault?: AgentFault | undefined;
}

/** The decisions of an agent. A variant changes some of them; all others follow the protocol. */
export interface AgentDecisions {
  /** Whether the agent refuses a message that breaks this rule. */
  respects(reason: Reason, message: Json, transport: MessageTransport): boolean;
  /** A reason to refuse a message that takes precedence over all others, if there is one. */
  refusalFor(message: JsonObject, agent: RunningAgent, bytes: Uint8Array): AgentFault | undefined;
  /** Rewrites the text of a request over HTTP before it is parsed. */
  rewriteText?: (text: string) => string;
  /** Changes a parsed message before it is checked. */
  readMessage(message: Json): Json;
  /** Returns the id of the task that a payload names. */
  taskIdOf(payload: JsonObject): Json | undefined;
  /** Called before a message is checked. */
  beforeChecks(message: JsonObject, agent: RunningAgent): void;
  /** Whether a message of this type runs a method. */
  runsMethod(type: Json | undefined): boolean;
  /** Whether the agent supports a version of the protocol. */
  supportsVersion(version: Json | undefined): boolean;
  /** Whether a message is recent enough. Both times are in seconds. */
  isFresh(stamp: number, now: number, message: JsonObject, transport: MessageTransport): boolean;
  /** Whether a message with this recipient is for the agent. */
  isOwn(to: Json | undefined, agent: RunningAgent): boolean;
  /** Whether the agent also accepts messages from the other network. */
  acceptsOtherNetwork: boolean;
  /** The key that identifies a message. Messages with the same key are repetitions. */
  messageKey(message: JsonObject, transport: MessageTransport): string;
  /** The milliseconds for which an id is remembered. */
  idMemoryMs: number;
  /** Called after an id was remembered, to forget older ones. */
  pruneMemory(memory: Map<string, number>): void;
  /** Whether the answer to a repeated message is the task of the first one. */
  returnsOriginal: boolean;
  /** Whether a message with a wrong signature uses up its id. */
  refusedConsumesId: boolean;
  /** The maximum number of bytes of a message. */
  maxBytes: number;
  /** The error code for a cause. */
  code(cause: RefusalCause): number;
  /** The data of an error. */
  data(fault: AgentFault): JsonObject | undefined;

  /** The milliseconds by the agent's clock for which it works on a task after its answer. Undefined if it works before the answer. */
  workMs: number | undefined;
  /** The milliseconds between the streamed steps of work. */
  stepMs: number;
  /** Whether pings follow the clock that the hook moves. */
  movesPings: boolean;
  /** Whether a resubscriber also gets earlier events. */
  replays: boolean;
  servesCard: boolean;
  offers(method: string): boolean;
  acceptsContent(mediaType: string): boolean;
  /** Whether a repeated idempotency key returns the task that it opened. `refuses`: the message is refused. */
  honoursKeys: boolean | "refuses";
  /** The existing task that a message without a task id continues, if any. */
  taskToReopen(owner: string, agent: RunningAgent): OwnedTask | undefined;
  /** Whether a task does not accept further messages. */
  isFinal(task: OwnedTask): boolean;
  /** The task that a message with a task id continues. */
  taskToContinue(task: OwnedTask, agent: RunningAgent): OwnedTask;
  /** Whether a task is visible to a requester. */
  isShown(task: OwnedTask, from: string): boolean;
  /** The context of a new task; undefined for a new context. */
  contextFor(owner: string, agent: RunningAgent): string | undefined;
  /** The task that is used if the named one does not exist. */
  unknownTask(taskId: string, agent: RunningAgent): OwnedTask | undefined;
  /** The state after a cancellation, or the cause of its refusal. */
  stateAfterCancel(task: OwnedTask): string | RefusalCause;
  /** Called when a task is read. */
  onRead(task: OwnedTask): void;
  /** The reported part of a task's history, with at most `length` turns. */
  history(history: readonly JsonObject[], length: number | undefined): JsonObject[] | undefined;
  /** The task as the agent reports it. */
  reportTask(task: JsonObject, ownedTask: OwnedTask): JsonObject;
  card(card: JsonObject, agent: RunningAgent): JsonObject;
  servedCard(served: JsonObject, agent: RunningAgent): JsonObject;

  /** Changes each message just before it is signed. Undefined if it is not sent. */
  editMessage(message: JsonObject, about: AnswerContext): JsonObject | undefined;
  signs(message: JsonObject, sign: (message: JsonObject) => JsonObject, about: AnswerContext): JsonObject;
  /** The messages that are sent instead of this one. A stream ends after the last. */
  messagesToSend(message: JsonObject, about: AnswerContext): readonly JsonObject[];
  /** Whether a stream ends after its last message. */
  endsAfter(about: AnswerContext): boolean;
  /** Whether a returning requester can resume a stream. */
  resumes: boolean;
  /** Formats a message of a stream as a server-sent event. */
  frame(text: string): string;
  streamType: string;
  /** Whether the answer to a request for a stream is a stream. */
  streams(transport: MessageTransport): boolean;
  /** Whether a request for a stream over HTTP is neither answered nor closed. */
  shouldHang(about: Partial<AnswerContext> & { agent: RunningAgent }): boolean;
  /** Changes the status and the headers of an answer over HTTP. */
  http(answer: HttpAnswer, about: Partial<AnswerContext> & { agent: RunningAgent }): HttpAnswer;
  /** Formats a message as the content of a WebSocket frame. */
  socketFrame(text: string): string | Uint8Array;
  /** Milliseconds between pings. */
  pingIntervalMs: number;
  /** The kinds of Nostr events that the agent receives. */
  kinds: readonly number[];
  /** The kind of event with which it answers. */
  kind: number;
  /** Encrypts the content of an answer. */
  encryptContent(content: string, encrypt: (content: string) => string): string;
  /** The tag that names the recipient of an answer. */
  recipientTag(internal: string): string[];
  /** Whether the signer of an event may send a message from this address. `address` belongs to the signer. */
  trustsSender(pubkey: string, from: Json | undefined, address: string): boolean;
  cardTags(tags: Json[][]): Json[][];
  /** The relays at which the agent publishes its card. */
  publishedRelays(relays: readonly string[]): readonly string[];
}

export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
}

export function nowMs(agent: RunningAgent): number {
  return Date.now() + agent.ahead;
}

/** Returns the steps of validation, in the order of the profile. */
export function stepsOf({ protocol }: RunningAgent): NonNullable<Profile["steps"]> {
  return protocol.profile.steps ?? [];
}
