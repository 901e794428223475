import type { Json, JsonObject } from "../../../../../schemas/index.ts";
import type { ErrorName } from "../../errors.ts";
import type { KeptTask, TaskStore } from "./tasks.ts";

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

/** One request as it was read. */
export interface AgentCall {
  binding: BindingName;
  operation: OperationName;
  params: JsonObject;
  /** By names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Who asks; empty for a stranger. */
  caller: string;
  /** `id` of a JSON-RPC request. */
  id?: Json | undefined;
  /** Names of its headers as they were written. */
  spelled: readonly string[];
  /** Bytes of its body. */
  size: number;
}

/** Why a request is refused. */
export interface CallFault {
  error: ErrorName;
  message: string;
  /** The parameter that is wrong. */
  field?: string;
  /** Distinguishes faults that have the same error. */
  about?: "configuration" | "depth";
}

/** Thrown by operations. */
export class AgentRefusal extends Error {
  readonly fault: CallFault;

  constructor(error: ErrorName, message: string, field?: string, about?: CallFault["about"]) {
    super(message);
    this.fault = {
      error,
      message,
      ...(field === undefined ? {} : { field }),
      ...(about === undefined ? {} : { about }),
    };
  }
}

/** What a right agent looks at before it serves. */
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
  | "timestamp"
  | "version";

/** An answer before it goes out. */
export interface AgentAnswer {
  status: number;
  headers: Record<string, string>;
  body: Json | undefined;
}

/** A stream while it lasts. */
export interface AgentStream {
  call: AgentCall;
  task: KeptTask | undefined;
  /** How many items went out. */
  sent: number;
  /** Which of the streams of the agent it is. */
  serial: number;
}

/** One call of a webhook. */
export interface AgentPost {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: Json;
}

/** All decisions of an agent. Those that a right one makes are in `policy.ts`; a variant replaces some. */
export interface A2aPolicy {
  card(card: JsonObject, kind: "public" | "extended"): JsonObject;
  /** Headers of the card's answer. */
  cardHeaders(headers: Record<string, string>): Record<string, string>;
  checks(check: AgentCheck, call: AgentCall): boolean;
  fails(fault: CallFault, call: AgentCall): CallFault;
  /** Why a request is refused besides; called before anything is done. It may change the parameters. */
  refuses(call: AgentCall, agent: ReferenceAgent): CallFault | undefined;
  /** Whether a stream that is refused is opened, and stays silent. */
  isSilent(fault: CallFault, call: AgentCall): boolean;
  /** Whether the version may stand in the query. */
  readsQuery: boolean;
  /** A part of a path. */
  decodes(part: string): string;
  /** Whether the cancel of a cancelled task is answered with the task. */
  cancelsAgain: boolean;
  /** Milliseconds before a request is read. */
  delay: number;
  /** Whether a page ends at a place among the tasks, or at a number of them. */
  pages: "cursor" | "offset";
  /** Whether a webhook is called after its configuration was deleted. */
  keepsDeleted: boolean;
  /** Whether a task goes on once it was granted its authorization. */
  isGranted: boolean;
  /** The result of an operation, before its envelope. `task` is the one that it is about. */
  says(result: Json, call: AgentCall, task: KeptTask | undefined, agent: ReferenceAgent): Json;
  /** The whole answer. */
  answers(answer: AgentAnswer, call: AgentCall): AgentAnswer;
  /** What goes out for one item of a stream. */
  streams(item: JsonObject, stream: AgentStream): JsonObject[];
  /** The text of one event. */
  writes(text: string, stream: AgentStream): string;
  /** Whether a stream ends once its task is in this state. */
  closes(state: string, stream: AgentStream): boolean;
  /** What is posted for one event; undefined: nothing. */
  posts(post: AgentPost, facts: { task: KeptTask; event: JsonObject; count: number }): AgentPost | undefined;
  /** Milliseconds before each further attempt at a webhook that failed. */
  retries: readonly number[];
  /** Milliseconds that a webhook may take. */
  postLimit: number;
  /** Whether a call of SendMessage waits until its task rests. */
  waits(call: AgentCall): boolean;
  /** Whether a message to a running task is taken. */
  takesMore: boolean;
  /** The context of a new task. */
  contextFor(given: string | undefined, agent: ReferenceAgent): string;
  /** Milliseconds of one step of work. */
  step: number;
  /** The order of a list: negative if the first comes first. */
  order(one: KeptTask, other: KeptTask): number;
  /** What a list holds for a caller. */
  lists(task: KeptTask, call: AgentCall): boolean;
  /** Called when a task is cancelled; false: it is not done. */
  cancels(task: KeptTask): boolean;
  /** Called when the client of a stream has left. */
  left(stream: AgentStream): void;
  /** Called when a message for a task has been taken, before it works. */
  takes(task: KeptTask, message: JsonObject, call: AgentCall): void;
  /** A message becomes this text. */
  reads(message: JsonObject): string;
}

export interface ServingSettings {
  port?: number;
  /** The callers with access, by the token that each shows; absent: everybody has access, as one. */
  tokens?: Readonly<Record<string, string>>;
  tenant?: string;
  /** It is set up for strangers. */
  isProduction?: boolean;
}

/** A running agent. */
export interface ReferenceAgent {
  url: string;
  settings: ServingSettings;
  policy: A2aPolicy;
  store: TaskStore;
  streams: number;
  ending: AbortController;
}
