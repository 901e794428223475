import { randomUUID } from "node:crypto";
import type { Json, JsonObject } from "../../../../../schemas/index.ts";

/** The final states of a task. */
export const finalStates: readonly string[] = [
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
];

/** The states of a task that waits for its client. */
export const interruptedStates: readonly string[] = ["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"];

/** An event of a task: one item of its streams, and one call of its webhooks. */
export type TaskEvent = { statusUpdate: JsonObject } | { artifactUpdate: JsonObject };

/** A task in the agent's memory. */
export interface A2aTask {
  id: string;
  contextId: string;
  owner: string;
  tenant: string;
  state: string;
  statusMessage: JsonObject | undefined;
  /** The time of the last change in milliseconds since 1970, which never decreases. */
  changedAt: number;
  /** Its position in the order of creation. */
  number: number;
  artifacts: JsonObject[];
  history: JsonObject[];
  configs: Map<string, JsonObject>;
  watchers: Set<(event: TaskEvent) => void>;
  /** Ends its work. */
  work: AbortController;
}

/** All tasks of an agent, by their ids. */
export interface TaskStore {
  tasks: Map<string, A2aTask>;
  taskCount: number;
}

export function makeTask(store: TaskStore, facts: Pick<A2aTask, "id" | "contextId" | "owner" | "tenant">): A2aTask {
  store.taskCount += 1;
  const task: A2aTask = {
    ...facts,
    state: "TASK_STATE_SUBMITTED",
    statusMessage: undefined,
    changedAt: Date.now(),
    number: store.taskCount,
    artifacts: [],
    history: [],
    configs: new Map(),
    watchers: new Set(),
    work: new AbortController(),
  };
  store.tasks.set(task.id, task);
  return task;
}

export function isOver({ state }: Pick<A2aTask, "state">): boolean {
  return finalStates.includes(state);
}

export function isResting({ state }: Pick<A2aTask, "state">): boolean {
  return finalStates.includes(state) || interruptedStates.includes(state);
}

export function statusOf({ state, statusMessage, changedAt }: A2aTask): JsonObject {
  return {
    state,
    ...(statusMessage === undefined ? {} : { message: statusMessage }),
    timestamp: new Date(changedAt).toISOString(),
  };
}

/** The requested parts of a task. */
export interface TaskExtent {
  historyLength?: number | undefined;
  artifacts?: boolean;
}

/** Converts a task to its form in answers. */
export function presentTask(task: A2aTask, { historyLength, artifacts = true }: TaskExtent = {}): JsonObject {
  const { id, contextId, history } = task;
  const shownHistory = historyLength === undefined ? history : historyLength === 0 ? [] : history.slice(-historyLength);
  return {
    id,
    contextId,
    status: statusOf(task),
    ...(artifacts && task.artifacts.length > 0 ? { artifacts: structuredClone(task.artifacts) } : {}),
    ...(shownHistory.length > 0 ? { history: structuredClone(shownHistory) } : {}),
  };
}

/** Makes a message from the agent in a task. */
export function agentMessage({ id, contextId }: Pick<A2aTask, "id" | "contextId">, text: string): JsonObject {
  return {
    messageId: randomUUID(),
    contextId,
    taskId: id,
    role: "ROLE_AGENT",
    parts: [{ text, mediaType: "text/plain" }],
  };
}

/** Changes the state of a task, unless it is over, and notifies its subscribers. */
export function moveTask(task: A2aTask, state: string, text?: string): void {
  if (isOver(task)) return;
  task.state = state;
  task.statusMessage = text === undefined ? undefined : agentMessage(task, text);
  if (task.statusMessage !== undefined) task.history.push(task.statusMessage);
  task.changedAt = Math.max(task.changedAt, Date.now());
  notify(task, { statusUpdate: { taskId: task.id, contextId: task.contextId, status: statusOf(task) } });
}

/** Adds an artifact, or parts of one, and notifies the subscribers of the task. */
export function addArtifact(
  task: A2aTask,
  artifact: { artifactId: string; parts: Json[] },
  { append = false, lastChunk = true }: { append?: boolean; lastChunk?: boolean } = {},
): void {
  const existingArtifact = task.artifacts.find(({ artifactId }) => artifactId === artifact.artifactId);
  if (append && existingArtifact !== undefined)
    existingArtifact.parts = [...(existingArtifact.parts as Json[]), ...artifact.parts];
  else task.artifacts.push(structuredClone(artifact) as JsonObject);
  notify(task, {
    artifactUpdate: { taskId: task.id, contextId: task.contextId, artifact: artifact as JsonObject, append, lastChunk },
  });
}

function notify(task: A2aTask, event: TaskEvent): void {
  for (const watcher of [...task.watchers]) watcher(structuredClone(event));
}
