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
    taskId: (id, here) => check.id(id, here),
    message: (message, here) => turn(check, message, here),
    idempotencyKey: (key, here) => check.id(key, here),
  });
}

export function checkGet(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, "taskId historyLength", { requiredNames: "taskId" })) return;
  check.members(value, at, {
    taskId: (id, here) => check.id(id, here),
    historyLength: (length, here) => check.integer(length, here, 0, 1000),
  });
}

export function checkCancel(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, "taskId", { requiredNames: "taskId" })) return;
  check.members(value, at, { taskId: (id, here) => check.id(id, here) });
}

/** Checks the payload of a response; a live answer to a repeated request may contain a flag. */
export function answer(check: DocumentCheck, value: Json, at: string, isLive: boolean = false): void {
  const flag = isLive && isObject(value) && typeof value.deduplicated === "boolean" && !check.strict("deduplicated");
  if (!check.object(value, at, flag ? "task error deduplicated" : "task error")) return;
  check.members(value, at, {
    task: (its, here) => task(check, its, here),
    error: (its, here) => error(check, its, here),
  });
  const [hasTask, hasError] = [Object.hasOwn(value, "task"), Object.hasOwn(value, "error")];
  if (!hasTask && !hasError) check.beyond(at, "says nothing");
  if (hasTask && hasError && check.strict("task-and-error")) check.beyond(at, "says two things");
}

/** Checks an object without a schema, with these optional members. */
function mustBeClosed(
  check: DocumentCheck,
  value: JsonObject,
  { at, known, freedom }: { at: string; known: string; freedom: string },
): void {
  if (!check.strict(freedom)) return;
  const names = known.split(" ");
  for (const name of Object.keys(value))
    if (!names.includes(name)) check.form(`${at}/${pointerStep(name)}`, "is not known");
}

export function event(check: DocumentCheck, value: JsonObject, at: string): void {
  if (value.taskId === undefined) check.form(`${at}/taskId`, "is missing");
  check.members(value, at, {
    taskId: (id, here) => check.id(id, here),
    progress: (progress, here) => typeof progress === "number" || check.form(here, "is no number"),
    message: (message, here) => check.text(message, here),
    artifact: (its, here) => {
      artifact(check, its, here, "partial");
      if (isObject(its) && Object.hasOwn(its, "partial") && typeof its.partial !== "boolean")
        check.form(`${here}/partial`, "is no boolean");
    },
  });
  mustBeClosed(check, value, { at, known: "taskId progress message artifact", freedom: "event-members" });
}

function resubscribing(check: DocumentCheck, value: JsonObject, at: string): void {
  if (value.taskId === undefined) check.form(`${at}/taskId`, "is missing");
  check.members(value, at, { taskId: (id, here) => check.id(id, here) });
  mustBeClosed(check, value, { at, known: "taskId", freedom: "resubscribe-members" });
}

function checkCall(check: DocumentCheck, value: JsonObject, at: string): void {
  check.text(value.name, `${at}/name`);
  if (Object.hasOwn(value, "arguments") && !isObject(value.arguments)) check.form(`${at}/arguments`, "is no object");
}

export interface PayloadKind {
  method: string;
  type: string;
  profile: "base" | "a2s";
}

/** Checks the payload of a message: by a schema if the protocol has one, otherwise by the prose. */
export function payload(
  check: DocumentCheck,
  value: JsonObject,
  { method, type, profile }: PayloadKind,
  at: string,
): void {
  const isStream = streams.includes(method);
  const known = schemas[`${method} ${type}`];
  if (known !== undefined) known(check, value, at);
  else if (method === "message/stream" && type === "request") check.code((inner) => sending(inner, value, at));
  else if (isStream && type === "request") check.code((inner) => resubscribing(inner, value, at));
  else if (isStream && type === "response") check.code((inner) => answer(inner, value, at));
  else if (isStream) check.code((inner) => event(inner, value, at));
  else if (type === "event" && methods.includes(method)) {
    if (check.strict("event-outside-stream")) check.beyond("/type", "is an event of no stream");
  } else if (profile === "a2s" && method === "service/call") {
    if (type === "request") check.code((inner) => checkCall(inner, value, at));
    else if (check.strict("service-call-kinds")) check.beyond("/type", "is no request");
  }
  limits(check, value, at);
}

const schemas: Readonly<Record<string, (check: DocumentCheck, value: Json, at: string) => void>> = {
  "message/send request": sending,
  "tasks/get request": checkGet,
  "tasks/cancel request": checkCancel,
  "message/send response": answerAt,
  "tasks/get response": answerAt,
  "tasks/cancel response": answerAt,
};

function answerAt(check: DocumentCheck, value: Json, at: string): void {
  answer(check, value, at);
}

/** Checks the size and depth of a payload. */
export function limits(check: DocumentCheck, value: Json, at: string): void {
  if (sizeOf(value) > megabyte(check)) check.beyond(at, "is too large");
  if (levelsOf(value) > (check.strict("depth-origin") ? 10 : 11)) check.beyond(at, "is too deep");
}
