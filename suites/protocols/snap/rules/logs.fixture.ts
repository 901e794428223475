import type { JsonObject } from "../../../../schemas/index.ts";
import { keyA } from "./keys.ts";
import { exampleMessage } from "./messages.ts";

/** A task of a log, in a common context unless `members` names another. */
export function task(id: string, state: string, members: JsonObject = {}): JsonObject {
  return { id, contextId: "ctx-5", status: { state, timestamp: "2026-01-15T12:00:04Z" }, ...members };
}

/** A refusal with this code. */
export function refusedWith(code: number): JsonObject {
  return { error: { code, message: "Not possible." } };
}

interface AskOptions {
  /** The sender, by default A. */
  from?: string;
  /** Further members of the payload. */
  payload?: JsonObject;
}

/** An exchange in which a message was sent, to a new task unless `payload` names one. */
export function sentTask(answer: JsonObject, { from = keyA.address.main, payload = {} }: AskOptions = {}): JsonObject {
  return { from, method: "message/send", payload: { message: exampleMessage, ...payload }, answer: answerOf(answer) };
}

/** An exchange in which a task was read, without its history unless `payload` asks for it. */
export function gotTask(
  id: string,
  answer: JsonObject,
  { from = keyA.address.main, payload = { historyLength: 0 } }: AskOptions = {},
): JsonObject {
  return { from, method: "tasks/get", payload: { taskId: id, ...payload }, answer: answerOf(answer) };
}

/** An exchange in which the cancellation of a task was requested. */
export function cancelled(id: string, answer: JsonObject, { from = keyA.address.main }: AskOptions = {}): JsonObject {
  return { from, method: "tasks/cancel", payload: { taskId: id }, answer: answerOf(answer) };
}

function answerOf(answer: JsonObject): JsonObject {
  return Object.hasOwn(answer, "error") ? answer : { task: answer };
}

/** A log of these exchanges. */
export function log(...exchanges: JsonObject[]): JsonObject {
  return { exchanges };
}
