import { randomBytes } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { nowMs, type OwnedTask, type RunningAgent } from "./agent.ts";

/** Texts for which the agent does not finish immediately, but keeps working or asks a question. */
export const texts = { working: "Keep working.", asking: "Ask me back." } as const;

export function freshId(prefix: string): string {
  return `${prefix}-${randomBytes(9).toString("base64url")}`;
}

/** Opens a task for a sender, by default in a new context. */
export function openTask(agent: RunningAgent, owner: string, key?: string): OwnedTask {
  const task: OwnedTask = {
    id: freshId("task"),
    contextId: agent.policy.contextFor(owner, agent) ?? freshId("ctx"),
    owner,
    state: "submitted",
    changedAt: nowMs(agent),
    artifacts: [],
    history: [],
    events: [],
    followers: new Set(),
    ...(key === undefined ? {} : { key }),
  };
  agent.tasks.set(task.id, task);
  return task;
}

/** Changes the state of a task, and wakes its followers. */
export function move(agent: RunningAgent, task: OwnedTask, state: string): void {
  task.state = state;
  task.changedAt = nowMs(agent);
  for (const wake of [...task.followers]) wake();
}

/** Records an event of a task, and wakes its followers. */
export function noteEvent(task: OwnedTask, event: JsonObject): void {
  task.events.push({ taskId: task.id, ...event });
  for (const wake of [...task.followers]) wake();
}

/** Returns the first text in a message, or an empty string. */
export function textOf(message: Json | undefined): string {
  const parts = isObject(message) && Array.isArray(message.parts) ? message.parts : [];
  const textPart = parts.find((part) => isObject(part) && typeof part.text === "string");
  return isObject(textPart) ? String(textPart.text) : "";
}

/** Handles a message to a task by its text: keeps working, asks a question, or finishes the task. */
export function follow(agent: RunningAgent, task: OwnedTask, message: JsonObject): void {
  task.history.push(message);
  const text = textOf(message);
  move(agent, task, "working");
  if (text === texts.working) return;
  if (text === texts.asking) {
    task.history.push(agentTurn("Which one?"));
    move(agent, task, "input_required");
    return;
  }
  const { workMs } = agent.policy;
  if (workMs === undefined) finish(agent, task, text);
  else finishLater(agent, task, text, workMs);
}

/** Finishes a task after this time by the agent's clock, whether the clock runs or is moved by the hook. */
function finishLater(agent: RunningAgent, task: OwnedTask, text: string, delayMs: number): void {
  const dueAt = nowMs(agent) + delayMs;
  const stop = (): void => {
    clearTimeout(timer);
    agent.ticks.delete(finishIfDue);
    agent.ending.signal.removeEventListener("abort", stop);
  };
  const finishIfDue = (): void => {
    clearTimeout(timer);
    const remainingMs = dueAt - nowMs(agent);
    if (remainingMs > 0) timer = setTimeout(finishIfDue, remainingMs);
    else {
      stop();
      if (task.state === "working") finish(agent, task, text);
    }
  };
  let timer = setTimeout(finishIfDue, delayMs);
  agent.ticks.add(finishIfDue);
  agent.ending.signal.addEventListener("abort", stop);
}

export function finish(agent: RunningAgent, task: OwnedTask, text: string): void {
  task.artifacts.push(artifactFor(task, text));
  task.history.push(agentTurn("Done."));
  move(agent, task, "completed");
}

export function artifactFor({ artifacts }: OwnedTask, text: string): JsonObject {
  const parts = [{ text: text === "" ? "nothing" : text.slice(0, 200) }];
  return { artifactId: `echo-${artifacts.length + 1}`, name: "echo.txt", parts };
}

function agentTurn(text: string): JsonObject {
  return { messageId: freshId("turn"), role: "agent", parts: [{ text }] };
}

/** Returns a task as the agent reports it to its owner, with this part of its history. */
export function reportedTask(agent: RunningAgent, task: OwnedTask, history?: readonly JsonObject[]): JsonObject {
  const { id, contextId, state, changedAt, artifacts } = task;
  return agent.policy.reportTask(
    {
      id,
      contextId,
      status: { state, timestamp: new Date(changedAt).toISOString() },
      ...(artifacts.length === 0 ? {} : { artifacts: [...artifacts] }),
      ...(history === undefined ? {} : { history: [...history] }),
    },
    task,
  );
}
