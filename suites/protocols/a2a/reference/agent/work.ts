import { setTimeout as sleep } from "node:timers/promises";
import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { ReferenceAgent } from "./agent.ts";
import { type A2aTask, addArtifact, isOver, moveTask } from "./tasks.ts";

/** The message texts that select what the agent does. It completes any other message immediately. */
export const messageTexts = {
  replying: "reply",
  working: "work",
  asking: "ask",
  authorizing: "auth",
  failing: "fail",
  rejecting: "reject",
  chunks: "chunks",
} as const;

/** The number of updates of a working task. */
const updateCount = 3;

/** Returns the text of a message. */
export function textOf({ parts }: JsonObject): string {
  return (Array.isArray(parts) ? parts : [])
    .map((part) => (isObject(part) && typeof part.text === "string" ? part.text : ""))
    .join("");
}

/** Works on a task until it ends or is interrupted. */
export async function workAt(agent: ReferenceAgent, task: A2aTask, message: JsonObject): Promise<void> {
  const text = agent.policy.readText(message);
  if (text === messageTexts.failing) return moveTask(task, "TASK_STATE_FAILED", "It failed.");
  if (text === messageTexts.rejecting) return moveTask(task, "TASK_STATE_REJECTED", "No.");
  if (text === messageTexts.asking) return moveTask(task, "TASK_STATE_INPUT_REQUIRED", "Which one?");
  if (text === messageTexts.authorizing) return moveTask(task, "TASK_STATE_AUTH_REQUIRED", "Please log in.");
  moveTask(task, "TASK_STATE_WORKING");
  if (text === messageTexts.working && !(await workLong(agent, task))) return;
  if (text === messageTexts.chunks)
    for (const [index, chunk] of ["one ", "two ", "three"].entries())
      addArtifact(
        task,
        { artifactId: "answer", parts: [{ text: chunk }] },
        { append: index > 0, lastChunk: index === 2 },
      );
  else addArtifact(task, { artifactId: "answer", parts: [{ text: `You said: ${text}`, mediaType: "text/plain" }] });
  moveTask(task, "TASK_STATE_COMPLETED");
}

/** Works for a while; returns whether the work was completed. */
async function workLong({ policy, ending }: ReferenceAgent, task: A2aTask): Promise<boolean> {
  const signal = AbortSignal.any([ending.signal, task.work.signal]);
  for (let update = 1; update <= updateCount; update++) {
    const isUninterrupted = await sleep(policy.stepDuration, true, { signal }).catch(() => false);
    if (!isUninterrupted || isOver(task)) return false;
    moveTask(task, "TASK_STATE_WORKING", `Step ${update} is done.`);
  }
  const isUninterrupted = await sleep(policy.stepDuration, true, { signal }).catch(() => false);
  return isUninterrupted && !isOver(task);
}
