import type { Json, JsonObject } from "../../../../../schemas/index.ts";
import type { ErrorName } from "../../errors.ts";
import type { A2aTask, TaskStore } from "./tasks.ts";

export type BindingName = "JSONRPC" | "HTTP+JSON";

/** The eleven operations. */
export const operations = [
  "SendMessage",
  "SendStreamingMessage",
  "GetTask",
  "ListTasks",
  "CancelTask",
  "SubscribeToTask",
  "CreateTaskPushNotificationConfig",
  "GetTaskPushNotificationConfig",
  "ListTaskPushNotificationConfigs",
  "DeleteTaskPushNotificationConfig",
  "GetExtendedAgentCard",
] as const;

export type OperationName = (typeof operations)[number];

/** A parsed request. */
export interface AgentCall {
  binding: BindingName;
  operation: OperationName;
  params: JsonObject;
  /** The headers, by lower-case name. */
  headers: Readonly<Record<string, string>>;
  /** The name of the caller; empty for a stranger. */
  caller: string;
  /** The `id` of a JSON-RPC request. */
  id?: Json | undefined;
  /** The names of its headers, in their original case. */
  headerNames: readonly string[];
  /** The size of its body in bytes. */
  size: number;
}

/** Why a request is refused. */
export interface CallFault {
  error: ErrorName;
  message: string;
  /** The invalid parameter. */
  field?: string;
  /** Distinguishes faults with the same error. */
  subject?: "configuration" | "depth";
}

/** Thrown by operations that refuse a request. */
export class AgentRefusal extends Error {
  readonly fault: CallFault;

  constructor(error: ErrorName, message: string, field?: string, subject?: CallFault["subject"]) {
    super(message);
    this.fault = {
      error,
      message,
      ...(field === undefined ? {} : { field }),
      ...(subject === undefined ? {} : { subject }),
    };
  }
}

/** The checks that a correct agent makes before it serves a request. */
export type AgentCheck =
  | "capability"
  | "content"
  | "context"
  | "credential"
  | "extensions"
  | "filter"
  | "history-length"
  | "inward"
  | "ids"
  | "message"
  | "method"
  | "over"
  | "owner"
  | "page-size"
  | "page-token"
  | "params"
  | "parts"
  | "push-url"
  | "role"
  | "running"
  | "task"
  | "tenant"
  | "timestamp"
  | "version";

/** An answer before it is sent. */
export interface AgentAnswer {
  status: number;
  headers: Record<string, string>;
  body: Json | undefined;
}

/** An open stream. */
export interface AgentStream {
  call: AgentCall;
  task: A2aTask | undefined;
  /** The number of sent items. */
  itemCount: number;
  /** The position of this stream among the agent's streams, counted from 1. */
  number: number;
}

/** A call of a webhook. */
export interface AgentPost {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: Json;
}

/** The decisions of an agent. `policy.ts` has the decisions of a correct agent; a variant replaces some of them. */
export interface A2aPolicy {
  changeCard(card: JsonObject, kind: "public" | "extended"): JsonObject;
  /** The card for a requested version; the version is empty if the request names none. */
  cardFor(version: string, card: JsonObject): JsonObject;
  /** The headers of the answer with the card. */
  cardHeaders(headers: Record<string, string>): Record<string, string>;
  makesCheck(check: AgentCheck, call: AgentCall): boolean;
  changeFault(fault: CallFault, call: AgentCall): CallFault;
  /** An additional reason to refuse a request. Called before the operation; may change the parameters. */
  refuseCall(call: AgentCall, agent: ReferenceAgent): CallFault | undefined;
  /** Whether a refused stream is opened but stays silent. */
  isSilent(fault: CallFault, call: AgentCall): boolean;
  /** Whether the agent reads a version in the query. */
  readsVersionInQuery: boolean;
  /** Decodes a segment of a path. */
  decodePathPart(part: string): string;
  /** Whether cancelling a cancelled task succeeds. */
  acceptsSecondCancel: boolean;
  /** The milliseconds before a request is read. */
  readDelay: number;
  /** Whether a page token refers to a task or to a number of skipped tasks. */
  pageTokens: "cursor" | "offset";
  /** Whether a webhook is called after its configuration was deleted. */
  callsDeletedWebhooks: boolean;
  /** Whether a task continues after its authorization was granted. */
  continuesAfterGrant: boolean;
  /** Changes the result of an operation before it is wrapped for the binding. `task` is the affected task. */
  changeResult(result: Json, call: AgentCall, task: A2aTask | undefined, agent: ReferenceAgent): Json;
  /** Changes the whole answer. */
  changeAnswer(answer: AgentAnswer, call: AgentCall): AgentAnswer;
  /** The messages sent for one item of a stream. */
  changeItem(item: JsonObject, stream: AgentStream): JsonObject[];
  /** The text of one event. */
  writeEvent(text: string, stream: AgentStream): string;
  /** Whether a stream ends when its task is in this state. */
  endsStreamAt(state: string, stream: AgentStream): boolean;
  /** Returns the webhook call for one event; undefined if none is sent. */
  changePost(post: AgentPost, facts: { task: A2aTask; event: JsonObject; count: number }): AgentPost | undefined;
  /** The milliseconds to wait before each retry of a failed webhook call. */
  retryDelays: readonly number[];
  /** The milliseconds after which a webhook call is aborted. */
  postTimeout: number;
  /** Whether a SendMessage call waits until its task ends or is interrupted. */
  waitsForRest(call: AgentCall): boolean;
  /** Whether a running task accepts a message. */
  acceptsWhileWorking: boolean;
  /** The id of a new task. */
  createTaskId(): string;
  /** The context of a new task. */
  chooseContext(requested: string | undefined, agent: ReferenceAgent): string;
  /** The milliseconds of one step of work. */
  stepDuration: number;
  /** The order of a list: negative if the first task comes first. */
  compareTasks(task: A2aTask, otherTask: A2aTask): number;
  /** Whether the task is listed for the caller. */
  isListed(task: A2aTask, call: AgentCall): boolean;
  /** Whether a cancellation stops the task. */
  cancelsTask(task: A2aTask): boolean;
  /** Called when the client of a stream disconnects. */
  onClientLeft(stream: AgentStream): void;
  /** Called when a message for a task has been accepted, before the work. */
  recordMessage(task: A2aTask, message: JsonObject, call: AgentCall): void;
  /** The text of a message, as the agent reads it. */
  readText(message: JsonObject): string;
}

export interface ServingSettings {
  port?: number;
  /** The authorized callers, by token; if absent, everyone has access as the same caller. */
  tokens?: Readonly<Record<string, string>>;
  tenant?: string;
  /** Whether the agent runs with the production profile. */
  isProduction?: boolean;
}

/** A running agent. */
export interface ReferenceAgent {
  url: string;
  settings: ServingSettings;
  policy: A2aPolicy;
  store: TaskStore;
  streamCount: number;
  ending: AbortController;
}
