import { type Breach, type Checker, isObject, type Json } from "../../../../schemas/index.ts";
import { eventsIn, messageDocuments, payloadsIn } from "./places.ts";
import { firstSchemaError, fitsSchema } from "./shapes.ts";
import { isShallow } from "./size.ts";

const eventMembers: readonly string[] = ["taskId", "progress", "message", "artifact"];

function isTaskId(value: Json | undefined): boolean {
  return typeof value === "string" && /^[a-zA-Z0-9_-]{1,128}$/.test(value);
}

/** Checks the task id, which a payload must have even if there is no schema. */
function* checkTaskId(value: { taskId?: Json }, at: string): Iterable<Breach> {
  if (!Object.hasOwn(value, "taskId")) yield { at, why: "has no taskId" };
  else if (!isTaskId(value.taskId)) yield { at: `${at}/taskId`, why: "is not a task id" };
}

function* findOtherMembers(value: object, allowedNames: readonly string[], at: string): Iterable<Breach> {
  const otherName = Object.keys(value).find((name) => !allowedNames.includes(name));
  if (otherName !== undefined)
    yield { at, why: `has an undescribed member ${JSON.stringify(otherName)}`, level: "SHOULD" };
}

function isArtifact(artifact: Json): boolean {
  if (!isObject(artifact)) return false;
  const { partial = false, ...artifactMembers } = artifact;
  return typeof partial === "boolean" && isShallow(artifactMembers) && fitsSchema("types/artifact", artifactMembers);
}

export const streamCheckers: readonly Checker[] = [
  {
    rule: "SNAP-PAY-015",
    documents: messageDocuments,
    *check(instance, document) {
      for (const { value, at, method, type } of payloadsIn(instance, document)) {
        const isStream = method === "message/stream" && type === "request" && isShallow(value);
        const why = isStream ? firstSchemaError("payloads/message-send.request", value) : undefined;
        if (why !== undefined) yield { at, why: `does not fit the schema of a request of message/send: ${why}` };
      }
    },
  },
  {
    rule: "SNAP-PAY-016",
    documents: messageDocuments,
    *check(instance, document) {
      for (const { value, at, method, type } of payloadsIn(instance, document)) {
        if (method !== "tasks/resubscribe" || type !== "request") continue;
        yield* checkTaskId(value, at);
        yield* findOtherMembers(value, ["taskId"], at);
      }
    },
  },
  {
    rule: "SNAP-PAY-017",
    documents: messageDocuments,
    *check(instance, document) {
      for (const { value, at } of eventsIn(instance, document)) {
        const { progress = 0, message = "", artifact } = value;
        yield* checkTaskId(value, at);
        if (typeof progress !== "number") yield { at: `${at}/progress`, why: "is not a number" };
        if (typeof message !== "string") yield { at: `${at}/message`, why: "is not text" };
        if (artifact !== undefined && !isArtifact(artifact)) yield { at: `${at}/artifact`, why: "is not an artifact" };
        yield* findOtherMembers(value, eventMembers, at);
      }
    },
  },
];
