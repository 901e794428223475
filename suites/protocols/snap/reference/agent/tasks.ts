import { randomBytes } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { nowMs, type OwnedTask, type RunningAgent } from "./agent.ts";

/** Texts that make the agent do something other than finish at once. */
export const texts = { working: "Keep working.", asking: "Ask me back." } as const;

export function freshId(prefix: string): string {
  return `${prefix}-${randomBytes(9).toString("base64url")}`;
}

/** Opens a task for a sender, in a new context. */
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

export function move(agent: RunningAgent, task: OwnedTask, state: string): void {
  task.state = state;
  task.changedAt = nowMs(agent);
  for (const follow of [...task.followers]) follow();
}

/** Records an event of a task, for its subscribers. */
export function noteEvent(task: OwnedTask, event: JsonObject): void {
  task.events.push({ taskId: task.id, ...event });
  for (const follow of [...task.followers]) follow();
}

/** The first text in a message. */
export function textOf(message: Json | undefined): string {
  const parts = isObject(message) && Array.isArray(message.parts) ? message.parts : [];
  const text = parts.find((part) => isObject(part) && typeof part.text === "string");
  return isObject(text) ? String(text.text) : "";
}

/** Handles a message to a task by its text: asks back, continues, or finishes. */
export function follow(agent: RunningAgent, task: OwnedTask, message: JsonObject): void {
  task.history.push(message);
  const text = textOf(message);
  move(agent, task, "working");
  if (text === texts.working) return;
  if (text === texts.asking) {
    task.history.push(sayText("Which one?"));
    move(agent, task, "input_required");
    return;
  }
  const { leisure } = agent.policy;
  if (leisure === undefined) finish(agent, task, text);
  else finishLater(agent, task, text, leisure);
}

/** Finishes a task after these milliseconds of the agent's own time, whether it passes or is moved. */
function finishLater(agent: RunningAgent, task: OwnedTask, text: string, leisure: number): void {
  const dueSeconds = nowMs(agent) + leisure;
  const stop = (): void => {
    clearTimeout(timer);
    agent.ticks.delete(look);
    agent.ending.signal.removeEventListener("abort", stop);
  };
  const look = (): void => {
    clearTimeout(timer);
    const secondsLeft = dueSeconds - nowMs(agent);
    if (secondsLeft > 0) timer = setTimeout(look, secondsLeft);
    else {
      stop();
      if (task.state === "working") finish(agent, task, text);
    }
  };
  let timer = setTimeout(look, leisure);
  agent.ticks.add(look);
  agent.ending.signal.addEventListener("abort", stop);
}

export function finish(agent: RunningAgent, task: OwnedTask, text: string): void {
  task.artifacts.push(artifactFor(task, text));
  task.history.push(sayText("Done."));
  move(agent, task, "completed");
}

export function artifactFor({ artifacts }: OwnedTask, text: string): JsonObject {
  const parts = [{ text: text === "" ? "nothing" : text.slice(0, 200) }];
  return { artifactId: `echo-${artifacts.length + 1}`, name: "echo.txt", parts };
}

function sayText(text: string): JsonObject {
  return { messageId: freshId("turn"), role: "agent", parts: [{ text }] };
}

/** A task as its sender sees it, with a part of its history. */
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
