import { createHash } from "node:crypto";
import { isObject, type Json, type JsonObject, type ScenarioContext } from "../../../../schemas/index.ts";

/** The agent ids that the suite uses for its roles. */
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

function freshNumber(context: ScenarioContext, label: string): number {
  return 1000 + (Number.parseInt(digest(context.fresh(label)).slice(0, 10), 16) % 9_000_000);
}

const taskPrefixes = ["CODE", "TEST", "DOC", "OPS"] as const;

/** A task id that no other run has used, with a random prefix. A third of the ids have a decimal part. */
export function freshTask(context: ScenarioContext): string {
  const number = freshNumber(context, "task");
  return `${taskPrefixes[number % taskPrefixes.length]}-${number}${decimalOf(number)}`;
}

export function freshCue(context: ScenarioContext): string {
  const number = freshNumber(context, "cue");
  return `CUE-${number}${decimalOf(number)}`;
}

function decimalOf(number: number): string {
  return number % 3 === 0 ? `.${1 + (number % 9)}` : "";
}

export interface Envelope {
  from: string;
  to: string;
  at: number;
}

/** Draws this many items of a list, in an order that depends on the seed of the run. */
export function drawItems<Item>(
  context: ScenarioContext,
  items: readonly Item[],
  count: number = items.length,
): Item[] {
  const salt = context.fresh("draw");
  return items
    .map((item, index) => ({ item, key: digest(`${salt} ${index}`) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, count)
    .map(({ item }) => item);
}

/** A message with the five base members and more. */
export function message(
  context: ScenarioContext,
  type: string,
  { from, to, at }: Envelope,
  members: JsonObject,
): JsonObject {
  const base = { message_id: freshId(context), timestamp: timeOf(at), sender: from, recipient: to, message_type: type };
  return { ...base, ...members };
}

/** A time in the format of the conventions. */
export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The member of an object if it is an object itself; otherwise an empty object. */
export function memberObject(value: Json | undefined, name: string): JsonObject {
  const member = isObject(value) ? value[name] : undefined;
  return isObject(member) ? member : {};
}

export function isType(message: JsonObject, ...types: string[]): boolean {
  return types.some((type) => String(message.message_type).startsWith(type));
}

/** Whether a message shows that an agent works on a task. An update with the status blocked or delayed does not. */
export function isWork(message: JsonObject, task: string): boolean {
  if (message.task_id !== task) return false;
  const { status } = memberObject(message, "progress");
  return (
    isType(message, "task.complete") || (isType(message, "task.update") && status !== "blocked" && status !== "delayed")
  );
}

/** Whether two message ids are equal. The case of UUIDs does not matter (RFC 9562, section 4). */
export function isSameId(left: unknown, right: unknown): boolean {
  return String(left).toLowerCase() === String(right).toLowerCase();
}

/** Whether a report goes to an agent that may give instructions, or to all agents. */
export function includesSuperior(recipient: unknown): boolean {
  return recipient === "broadcast" || /^(?:orchestrator|hub|tournant)(?:-|$)/.test(String(recipient));
}

/** Describes a message in one short line. */
export function summarize({ message_type: type, sender, recipient }: JsonObject): string {
  return `${type} of ${sender} to ${recipient}`;
}
