import { createHash } from "node:crypto";
import { isObject, type Json, type JsonObject, type ScenarioContext } from "../../../../schemas/index.ts";

/** Whom the suite plays. */
export const orchestrator = "orchestrator-main";
export const hub = "hub-main";
export const peer = "specialist-test";

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A version 4 UUID that no other run has used. */
export function freshId(context: ScenarioContext): string {
  const hex = digest(context.fresh("message"));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function freshNumber(context: ScenarioContext, what: string): number {
  return 1000 + (Number.parseInt(digest(context.fresh(what)).slice(0, 10), 16) % 9_000_000);
}

export const freshTask = (context: ScenarioContext): string => `CODE-${freshNumber(context, "task")}`;
export const freshCue = (context: ScenarioContext): string => `CUE-${freshNumber(context, "cue")}`;

export interface Envelope {
  from: string;
  to: string;
  at: number;
}

/** A message with its five base members. */
export function message(
  context: ScenarioContext,
  type: string,
  { from, to, at }: Envelope,
  more: JsonObject,
): JsonObject {
  const base = { message_id: freshId(context), timestamp: timeOf(at), sender: from, recipient: to, message_type: type };
  return { ...base, ...more };
}

/** A time as the conventions write it. */
export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The member of an object that is one itself; otherwise an empty one. */
export function inner(value: Json | undefined, name: string): JsonObject {
  const member = isObject(value) ? value[name] : undefined;
  return isObject(member) ? member : {};
}

export function isType(given: JsonObject, ...types: string[]): boolean {
  return types.some((type) => String(given.message_type).startsWith(type));
}

/** Whether a message says that an agent goes on with a task; what says that it is held up does not. */
export function isWork(given: JsonObject, task: string): boolean {
  if (given.task_id !== task) return false;
  const { status } = inner(given, "progress");
  return (
    isType(given, "task.complete") || (isType(given, "task.update") && status !== "blocked" && status !== "delayed")
  );
}

/** A message in one short line. */
export function inShort({ message_type: type, sender, recipient }: JsonObject): string {
  return `${type} of ${sender} to ${recipient}`;
}
