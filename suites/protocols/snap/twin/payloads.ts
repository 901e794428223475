import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { pointerStep } from "../../../packs/twins/json.ts";
import type { DocumentCheck } from "./check.ts";
import { levelsOf, sizeOf } from "./json.ts";
import { checkArtifact, checkError, checkTask, checkTurn, megabyte } from "./parts.ts";

export const streams: readonly string[] = ["message/stream", "tasks/resubscribe"];
export const methods: readonly string[] = ["message/send", "tasks/get", "tasks/cancel", ...streams];

export function checkSend(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, "taskId message idempotencyKey", { requiredNames: "message" })) return;
  check.members(value, at, {
    taskId: (id, path) => check.id(id, path),
    message: (message, path) => checkTurn(check, message, path),
    idempotencyKey: (key, path) => check.id(key, path),
  });
}

export function checkGet(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, "taskId historyLength", { requiredNames: "taskId" })) return;
  check.members(value, at, {
    taskId: (id, path) => check.id(id, path),
    historyLength: (length, path) => check.integer(length, path, 0, 1000),
  });
}

export function checkCancel(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, "taskId", { requiredNames: "taskId" })) return;
  check.members(value, at, { taskId: (id, path) => check.id(id, path) });
}

/** Checks the payload of a response. A live answer to a repeated request may have the flag `deduplicated`. */
export function checkResponse(check: DocumentCheck, value: Json, at: string, isLive: boolean = false): void {
  const mayHaveFlag =
    isLive && isObject(value) && typeof value.deduplicated === "boolean" && !check.strict("deduplicated");
  if (!check.object(value, at, mayHaveFlag ? "task error deduplicated" : "task error")) return;
  check.members(value, at, {
    task: (member, path) => checkTask(check, member, path),
    error: (member, path) => checkError(check, member, path),
  });
  const [hasTask, hasError] = [Object.hasOwn(value, "task"), Object.hasOwn(value, "error")];
  if (!hasTask && !hasError) check.addCodeFault(at, "has neither a task nor an error");
  if (hasTask && hasError && check.strict("task-and-error")) check.addCodeFault(at, "has both a task and an error");
}

/** Refuses members other than these in an object without a schema, if the freedom allows it. */
function refuseUnknownMembers(
  check: DocumentCheck,
  value: JsonObject,
  { at, known, freedom }: { at: string; known: string; freedom: string },
): void {
  if (!check.strict(freedom)) return;
  const knownNames = known.split(" ");
  for (const name of Object.keys(value))
    if (!knownNames.includes(name)) check.addFormFault(`${at}/${pointerStep(name)}`, "is unknown");
}

export function checkEvent(check: DocumentCheck, value: JsonObject, at: string): void {
  if (value.taskId === undefined) check.addFormFault(`${at}/taskId`, "is missing");
  check.members(value, at, {
    taskId: (id, path) => check.id(id, path),
    progress: (progress, path) => typeof progress === "number" || check.addFormFault(path, "is not a number"),
    message: (message, path) => check.text(message, path),
    artifact: (member, path) => {
      checkArtifact(check, member, path, "partial");
      if (isObject(member) && Object.hasOwn(member, "partial") && typeof member.partial !== "boolean")
        check.addFormFault(`${path}/partial`, "is not a boolean");
    },
  });
  refuseUnknownMembers(check, value, { at, known: "taskId progress message artifact", freedom: "event-members" });
}

function checkResubscribe(check: DocumentCheck, value: JsonObject, at: string): void {
  if (value.taskId === undefined) check.addFormFault(`${at}/taskId`, "is missing");
  check.members(value, at, { taskId: (id, path) => check.id(id, path) });
  refuseUnknownMembers(check, value, { at, known: "taskId", freedom: "resubscribe-members" });
}

function checkCall(check: DocumentCheck, value: JsonObject, at: string): void {
  check.text(value.name, `${at}/name`);
  if (Object.hasOwn(value, "arguments") && !isObject(value.arguments))
    check.addFormFault(`${at}/arguments`, "is not an object");
}

export interface PayloadKind {
  method: string;
  type: string;
  profile: "base" | "a2s";
}

/** Checks the payload of a message: by a schema if the protocol has one, and otherwise by the text of the specification. */
export function checkPayload(
  check: DocumentCheck,
  value: JsonObject,
  { method, type, profile }: PayloadKind,
  at: string,
): void {
  const isStream = streams.includes(method);
  const judgeBySchema = schemaJudges[`${method} ${type}`];
  if (judgeBySchema !== undefined) judgeBySchema(check, value, at);
  else if (method === "message/stream" && type === "request") check.code((inner) => checkSend(inner, value, at));
  else if (isStream && type === "request") check.code((inner) => checkResubscribe(inner, value, at));
  else if (isStream && type === "response") check.code((inner) => checkResponse(inner, value, at));
  else if (isStream) check.code((inner) => checkEvent(inner, value, at));
  else if (type === "event" && methods.includes(method)) {
    if (check.strict("event-outside-stream")) check.addCodeFault("/type", "is an event outside a stream");
  } else if (profile === "a2s" && method === "service/call") {
    if (type === "request") check.code((inner) => checkCall(inner, value, at));
    else if (check.strict("service-call-kinds")) check.addCodeFault("/type", "is not a request");
  }
  checkLimits(check, value, at);
}

const schemaJudges: Readonly<Record<string, (check: DocumentCheck, value: Json, at: string) => void>> = {
  "message/send request": checkSend,
  "tasks/get request": checkGet,
  "tasks/cancel request": checkCancel,
  "message/send response": checkStoredAnswer,
  "tasks/get response": checkStoredAnswer,
  "tasks/cancel response": checkStoredAnswer,
};

function checkStoredAnswer(check: DocumentCheck, value: Json, at: string): void {
  checkResponse(check, value, at);
}

/** Checks the size and depth of a payload. */
export function checkLimits(check: DocumentCheck, value: Json, at: string): void {
  if (sizeOf(value) > megabyte(check)) check.addCodeFault(at, "is too large");
  if (levelsOf(value) > (check.strict("depth-origin") ? 10 : 11)) check.addCodeFault(at, "is too deep");
}
