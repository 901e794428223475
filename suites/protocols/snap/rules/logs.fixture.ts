import type { JsonObject } from "../../../../schemas/index.ts";
import { keyA } from "./keys.ts";
import { exampleMessage } from "./messages.ts";

/** Makes a task of a log, in a common context unless `members` names another. */
export function task(id: string, state: string, members: JsonObject = {}): JsonObject {
  return { id, contextId: "ctx-5", status: { state, timestamp: "2026-01-15T12:00:04Z" }, ...members };
}

/** Makes a refusal with this code. */
export function refusedWith(code: number): JsonObject {
  return { error: { code, message: "Not possible." } };
}

interface AskOptions {
  /** The sender, by default A. */
  from?: string;
  /** Further members of the payload. */
  payload?: JsonObject;
}

/** Makes the exchange of a sent message. The message opens a new task unless `payload` names a task. */
export function sentTask(answer: JsonObject, { from = keyA.address.main, payload = {} }: AskOptions = {}): JsonObject {
  return { from, method: "message/send", payload: { message: exampleMessage, ...payload }, answer: answerOf(answer) };
}

/** Makes the exchange of a request to read a task, without its history unless `payload` asks for it. */
export function gotTask(
  id: string,
  answer: JsonObject,
  { from = keyA.address.main, payload = { historyLength: 0 } }: AskOptions = {},
): JsonObject {
  return { from, method: "tasks/get", payload: { taskId: id, ...payload }, answer: answerOf(answer) };
}

/** Makes the exchange of a request to cancel a task. */
export function cancelled(id: string, answer: JsonObject, { from = keyA.address.main }: AskOptions = {}): JsonObject {
  return { from, method: "tasks/cancel", payload: { taskId: id }, answer: answerOf(answer) };
}

function answerOf(answer: JsonObject): JsonObject {
  return Object.hasOwn(answer, "error") ? answer : { task: answer };
}

/** Makes a log of these exchanges. */
export function log(...exchanges: JsonObject[]): JsonObject {
  return { exchanges };
}
