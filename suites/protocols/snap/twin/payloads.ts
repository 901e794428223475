import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { pointerStep } from "../../../packs/twins/json.ts";
import type { DocumentCheck } from "./check.ts";
import { levelsOf, sizeOf } from "./json.ts";
import { artifact, error, megabyte, task, turn } from "./parts.ts";

export const streams: readonly string[] = ["message/stream", "tasks/resubscribe"];
export const methods: readonly string[] = ["message/send", "tasks/get", "tasks/cancel", ...streams];

export function sending(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, "taskId message idempotencyKey", { requiredNames: "message" })) return;
  check.members(value, at, {
    taskId: (id, path) => check.id(id, path),
    message: (message, path) => turn(check, message, path),
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
export function answer(check: DocumentCheck, value: Json, at: string, isLive: boolean = false): void {
  const mayHaveFlag =
    isLive && isObject(value) && typeof value.deduplicated === "boolean" && !check.strict("deduplicated");
  if (!check.object(value, at, mayHaveFlag ? "task error deduplicated" : "task error")) return;
  check.members(value, at, {
    task: (member, path) => task(check, member, path),
    error: (member, path) => error(check, member, path),
  });
  const [hasTask, hasError] = [Object.hasOwn(value, "task"), Object.hasOwn(value, "error")];
  if (!hasTask && !hasError) check.beyond(at, "has neither a task nor an error");
  if (hasTask && hasError && check.strict("task-and-error")) check.beyond(at, "has both a task and an error");
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
    if (!knownNames.includes(name)) check.form(`${at}/${pointerStep(name)}`, "is unknown");
}

export function event(check: DocumentCheck, value: JsonObject, at: string): void {
  if (value.taskId === undefined) check.form(`${at}/taskId`, "is missing");
  check.members(value, at, {
    taskId: (id, path) => check.id(id, path),
    progress: (progress, path) => typeof progress === "number" || check.form(path, "is not a number"),
    message: (message, path) => check.text(message, path),
    artifact: (member, path) => {
      artifact(check, member, path, "partial");
      if (isObject(member) && Object.hasOwn(member, "partial") && typeof member.partial !== "boolean")
        check.form(`${path}/partial`, "is not a boolean");
    },
  });
  refuseUnknownMembers(check, value, { at, known: "taskId progress message artifact", freedom: "event-members" });
}

function checkResubscribe(check: DocumentCheck, value: JsonObject, at: string): void {
  if (value.taskId === undefined) check.form(`${at}/taskId`, "is missing");
  check.members(value, at, { taskId: (id, path) => check.id(id, path) });
  refuseUnknownMembers(check, value, { at, known: "taskId", freedom: "resubscribe-members" });
}

function checkCall(check: DocumentCheck, value: JsonObject, at: string): void {
  check.text(value.name, `${at}/name`);
  if (Object.hasOwn(value, "arguments") && !isObject(value.arguments))
    check.form(`${at}/arguments`, "is not an object");
}

export interface PayloadKind {
  method: string;
  type: string;
  profile: "base" | "a2s";
}

/** Checks the payload of a message: by a schema if the protocol has one, and otherwise by the text of the specification. */
export function payload(
  check: DocumentCheck,
  value: JsonObject,
  { method, type, profile }: PayloadKind,
  at: string,
): void {
  const isStream = streams.includes(method);
  const judgeBySchema = schemaJudges[`${method} ${type}`];
  if (judgeBySchema !== undefined) judgeBySchema(check, value, at);
  else if (method === "message/stream" && type === "request") check.code((inner) => sending(inner, value, at));
  else if (isStream && type === "request") check.code((inner) => checkResubscribe(inner, value, at));
  else if (isStream && type === "response") check.code((inner) => answer(inner, value, at));
  else if (isStream) check.code((inner) => event(inner, value, at));
  else if (type === "event" && methods.includes(method)) {
    if (check.strict("event-outside-stream")) check.beyond("/type", "is an event outside a stream");
  } else if (profile === "a2s" && method === "service/call") {
    if (type === "request") check.code((inner) => checkCall(inner, value, at));
    else if (check.strict("service-call-kinds")) check.beyond("/type", "is not a request");
  }
  limits(check, value, at);
}

const schemaJudges: Readonly<Record<string, (check: DocumentCheck, value: Json, at: string) => void>> = {
  "message/send request": sending,
  "tasks/get request": checkGet,
  "tasks/cancel request": checkCancel,
  "message/send response": checkStoredAnswer,
  "tasks/get response": checkStoredAnswer,
  "tasks/cancel response": checkStoredAnswer,
};

function checkStoredAnswer(check: DocumentCheck, value: Json, at: string): void {
  answer(check, value, at);
}

/** Checks the size and depth of a payload. */
export function limits(check: DocumentCheck, value: Json, at: string): void {
  if (sizeOf(value) > megabyte(check)) check.beyond(at, "is too large");
  if (levelsOf(value) > (check.strict("depth-origin") ? 10 : 11)) check.beyond(at, "is too deep");
}
