import { randomUUID } from "node:crypto";
import type { Json, JsonObject } from "../../../../../schemas/index.ts";

/** The final states of a task. */
export const terminal: readonly string[] = [
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
];

/** The states of a task that waits for its client. */
export const interrupted: readonly string[] = ["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"];

/** An event of a task: one item of its streams, and one call of its webhooks. */
export type TaskEvent = { statusUpdate: JsonObject } | { artifactUpdate: JsonObject };

/** A task in the agent's memory. */
export interface KeptTask {
  id: string;
  contextId: string;
  owner: string;
  tenant: string;
  state: string;
  said: JsonObject | undefined;
  /** The time of the last change in milliseconds since 1970, which never decreases. */
  changed: number;
  /** Its number in the order of creation. */
  serial: number;
  artifacts: JsonObject[];
  history: JsonObject[];
  configs: Map<string, JsonObject>;
  watchers: Set<(event: TaskEvent) => void>;
  /** Ends its work. */
  stopping: AbortController;
}

/** All tasks of an agent, by their ids. */
export interface TaskStore {
  tasks: Map<string, KeptTask>;
  made: number;
}

export function makeTask(store: TaskStore, facts: Pick<KeptTask, "id" | "contextId" | "owner" | "tenant">): KeptTask {
  store.made += 1;
  const task: KeptTask = {
    ...facts,
    state: "TASK_STATE_SUBMITTED",
    said: undefined,
    changed: Date.now(),
    serial: store.made,
    artifacts: [],
    history: [],
    configs: new Map(),
    watchers: new Set(),
    stopping: new AbortController(),
  };
  store.tasks.set(task.id, task);
  return task;
}

export function isOver({ state }: Pick<KeptTask, "state">): boolean {
  return terminal.includes(state);
}

export function isResting({ state }: Pick<KeptTask, "state">): boolean {
  return terminal.includes(state) || interrupted.includes(state);
}

export function statusOf({ state, said, changed }: KeptTask): JsonObject {
  return { state, ...(said === undefined ? {} : { message: said }), timestamp: new Date(changed).toISOString() };
}

/** The requested parts of a task. */
export interface TaskExtent {
  historyLength?: number | undefined;
  artifacts?: boolean;
}

/** A task in the form of answers. */
export function shownTask(task: KeptTask, { historyLength, artifacts = true }: TaskExtent = {}): JsonObject {
  const { id, contextId, history } = task;
  const last = historyLength === undefined ? history : historyLength === 0 ? [] : history.slice(-historyLength);
  return {
    id,
    contextId,
    status: statusOf(task),
    ...(artifacts && task.artifacts.length > 0 ? { artifacts: structuredClone(task.artifacts) } : {}),
    ...(last.length > 0 ? { history: structuredClone(last) } : {}),
  };
}

/** A message from the agent in a task. */
export function agentMessage({ id, contextId }: Pick<KeptTask, "id" | "contextId">, text: string): JsonObject {
  return {
    messageId: randomUUID(),
    contextId,
    taskId: id,
    role: "ROLE_AGENT",
    parts: [{ text, mediaType: "text/plain" }],
  };
}

/** Changes the state of a task, unless it is over, and notifies its subscribers. */
export function moveTask(task: KeptTask, state: string, text?: string): void {
  if (isOver(task)) return;
  task.state = state;
  task.said = text === undefined ? undefined : agentMessage(task, text);
  if (task.said !== undefined) task.history.push(task.said);
  task.changed = Math.max(task.changed, Date.now());
  notify(task, { statusUpdate: { taskId: task.id, contextId: task.contextId, status: statusOf(task) } });
}

/** Adds an artifact, or parts of one, and notifies the subscribers of the task. */
export function addArtifact(
  task: KeptTask,
  artifact: { artifactId: string; parts: Json[] },
  { append = false, lastChunk = true }: { append?: boolean; lastChunk?: boolean } = {},
): void {
  const known = task.artifacts.find(({ artifactId }) => artifactId === artifact.artifactId);
  if (append && known !== undefined) known.parts = [...(known.parts as Json[]), ...artifact.parts];
  else task.artifacts.push(structuredClone(artifact) as JsonObject);
  notify(task, {
    artifactUpdate: { taskId: task.id, contextId: task.contextId, artifact: artifact as JsonObject, append, lastChunk },
  });
}

function notify(task: KeptTask, event: TaskEvent): void {
  for (const watcher of [...task.watchers]) watcher(structuredClone(event));
}
