import { setTimeout as sleep } from "node:timers/promises";
import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { AgentFault, OwnedTask, RunningAgent } from "./agent.ts";
import { artifactFor, follow, move, noteEvent, openTask, reportedTask, textOf, texts } from "./tasks.ts";

/** The result of a request: events during the work, and the payload of the response. */
export interface Course {
  /** The latest event so far, or all earlier ones, followed by the events during the work. */
  events?: AsyncIterable<JsonObject>;
  end(): JsonObject | AgentFault;
}

/** Carries out a request that has passed all checks. */
export function carryOut(agent: RunningAgent, message: JsonObject): Course | AgentFault {
  const { method, payload: content, from } = message;
  const payload = isObject(content) ? content : {};
  const namedId = agent.policy.taskIdOf(payload);
  const taskId = typeof namedId === "string" ? namedId : undefined;
  const owner = String(from);
  if (typeof method !== "string" || !agent.policy.offers(method))
    return { cause: "unknown-method", message: `There is no method ${method}.` };
  agent.handledCount += 1;
  const task = taskId === undefined ? undefined : findTask(agent, taskId, owner);
  if (taskId !== undefined && task === undefined)
    return { cause: "unknown-task", message: `There is no task ${taskId}.` };
  if (method === "message/send" || method === "message/stream")
    return converse(agent, owner, { payload, namedTask: task, isStream: method === "message/stream" });
  if (task === undefined) return { cause: "malformed-payload", message: "No task is named." };
  if (method === "tasks/get") return getTask(agent, task, payload);
  if (method === "tasks/cancel") return cancelTask(agent, task);
  return agent.policy.resumes
    ? followTask(agent, task)
    : { cause: "task-over", message: "A broken stream cannot be resumed." };
}

function findTask(agent: RunningAgent, taskId: string, from: string): OwnedTask | undefined {
  const task = agent.tasks.get(taskId) ?? agent.policy.unknownTask(taskId, agent);
  return task !== undefined && agent.policy.isShown(task, from) ? task : undefined;
}

function converse(
  agent: RunningAgent,
  owner: string,
  { payload, namedTask, isStream }: { payload: JsonObject; namedTask: OwnedTask | undefined; isStream: boolean },
): Course | AgentFault {
  const message = isObject(payload.message) ? payload.message : {};
  const unsupportedType = (Array.isArray(message.parts) ? message.parts : [])
    .map((part) => (isObject(part) && typeof part.mediaType === "string" ? part.mediaType : undefined))
    .find((type) => type !== undefined && !agent.policy.acceptsContent(type));
  if (unsupportedType !== undefined)
    return {
      cause: "unsupported-content",
      message: `Content of the type ${unsupportedType} is not accepted.`,
      data: { supported: ["text/plain", "application/json", "image/png"] },
    };
  if (namedTask !== undefined && agent.policy.isFinal(namedTask))
    return { cause: "task-over", message: `The task is ${namedTask.state}.` };
  const key = typeof payload.idempotencyKey === "string" ? payload.idempotencyKey : undefined;
  const { policy } = agent;
  const taskOfKey =
    key === undefined
      ? undefined
      : [...agent.tasks.values()].find((ownedTask) => ownedTask.owner === owner && ownedTask.key === key);
  if (taskOfKey !== undefined && policy.honoursKeys === "refuses")
    return { cause: "malformed-payload", message: "The idempotency key was used before." };
  if (taskOfKey !== undefined && policy.honoursKeys)
    return isStream ? followTask(agent, taskOfKey) : courseOf(agent, taskOfKey);
  const task =
    namedTask === undefined
      ? (policy.taskToReopen(owner, agent) ?? openTask(agent, owner, key))
      : policy.taskToContinue(namedTask, agent);
  if (!isStream || textOf(message) === texts.asking) {
    follow(agent, task, message);
    return isStream ? followTask(agent, task) : courseOf(agent, task);
  }
  task.history.push(message);
  move(agent, task, "working");
  void work(agent, task, textOf(message));
  return followTask(agent, task);
}

/** Works on a task step by step, with events for its followers. */
async function work(agent: RunningAgent, task: OwnedTask, text: string): Promise<void> {
  noteEvent(task, { progress: 0.3, message: "Started." });
  if (text === texts.working) return;
  await sleep(agent.policy.stepMs);
  if (task.state !== "working") return;
  const artifact = artifactFor(task, text);
  task.artifacts.push(artifact);
  noteEvent(task, { progress: 0.9, artifact: { ...artifact, partial: false } });
  await sleep(agent.policy.stepMs);
  if (task.state === "working") move(agent, task, "completed");
}

/** Returns the task in its current state, without events. */
export function courseOf(agent: RunningAgent, task: OwnedTask): Course {
  return { end: () => ({ task: reportedTask(agent, task) }) };
}

function getTask(agent: RunningAgent, task: OwnedTask, { historyLength }: JsonObject): Course {
  agent.policy.onRead(task);
  const length = typeof historyLength === "number" ? historyLength : undefined;
  return { end: () => ({ task: reportedTask(agent, task, agent.policy.history(task.history, length)) }) };
}

function cancelTask(agent: RunningAgent, task: OwnedTask): Course | AgentFault {
  const nextState = agent.policy.stateAfterCancel(task);
  if (nextState === "task-not-cancelable") return { cause: nextState, message: `The task is ${task.state}.` };
  if (task.state !== nextState) move(agent, task, nextState);
  return courseOf(agent, task);
}

/** Returns the events of a task, until the task is at rest, and then the task. */
function followTask(agent: RunningAgent, task: OwnedTask): Course {
  return { events: eventsOf(agent, task), end: () => ({ task: reportedTask(agent, task) }) };
}

async function* eventsOf(agent: RunningAgent, task: OwnedTask): AsyncGenerator<JsonObject> {
  // A late subscriber gets only the latest event and later ones.
  let sentCount = agent.policy.replays ? 0 : Math.max(0, task.events.length - 1);
  while (true) {
    while (sentCount < task.events.length) yield task.events[sentCount++] as JsonObject;
    if (task.state !== "working") return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        task.followers.delete(wake);
        agent.ending.signal.removeEventListener("abort", wake);
        resolve();
      };
      task.followers.add(wake);
      agent.ending.signal.addEventListener("abort", wake);
    });
    if (agent.ending.signal.aborted) return;
  }
}
