import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { hasForm } from "./address.ts";
import { diagnosis } from "./diagnosis.ts";
import { fitsSchema, payloadSchema } from "./shapes.ts";

/** A response about tasks, paired with its request. */
export interface PairedExchange {
  request: JsonObject;
  /** The exchange for the task log; absent if the rules about sequences must not judge it. */
  exchange?: JsonObject;
  /** Exchanges about the same task whose answers are unknown, in a form that follows all rules. */
  unanswered: JsonObject[];
}

/** Reads messages in order, and pairs each response with its request. */
export interface ResponsePairing {
  take(message: JsonObject): PairedExchange | undefined;
  /** Records that a message was unreadable: from then on there may be unknown tasks. */
  miss(): void;
}

/** Methods that open tasks. Until such a request is answered, there may be an unknown task. */
const openingMethods: readonly unknown[] = ["message/send", "message/stream"];
const taskMethods: readonly unknown[] = [...openingMethods, "tasks/get", "tasks/cancel", "tasks/resubscribe"];

/** After this many seconds between a request and its answer, the request may have been too old. */
const maxDelaySeconds = 50;

export function readingOf(): ResponsePairing {
  return new PairingReader();
}

class PairingReader implements ResponsePairing {
  private openRequests: JsonObject[] = [];
  private readonly requestKeys = new Set<string>();
  /** Requests that repeat an answered request: they may get the earlier answer. */
  private readonly repeatedRequests = new Set<JsonObject>();
  /** Tasks known only from events. Answers about them are not judged until their stream ends. */
  private readonly streamedTasks = new Set<Json | undefined>();
  /** Tasks known from answers. */
  private readonly tasks = new Set<Json | undefined>();
  /** Whether there may be tasks that this reader does not know. */
  private mayMissTasks = false;

  take(message: JsonObject): PairedExchange | undefined {
    const namedTask = taskOf(message.payload);
    if (message.type === "event" && typeof namedTask === "string") this.streamedTasks.add(namedTask);
    if (message.type === "request") this.keepRequest(message);
    return message.type === "response" ? this.pairResponse(message) : undefined;
  }

  miss(): void {
    this.mayMissTasks = true;
  }

  private keepRequest(message: JsonObject): void {
    const key = keyOf(message);
    const wasOpen = this.openRequests.some((request) => keyOf(request) === key);
    if (this.requestKeys.has(key) && !wasOpen) this.repeatedRequests.add(message);
    // An open request that is sent again was postponed.
    this.openRequests = this.openRequests.filter((request) => keyOf(request) !== key);
    this.requestKeys.add(key);
    this.openRequests.push(message);
  }

  private pairResponse(message: JsonObject): PairedExchange | undefined {
    const { payload } = message;
    if (!isObject(payload) || !("task" in payload || "error" in payload)) return undefined;
    const candidates = answeredBy(message, this.openRequests);
    this.openRequests = this.openRequests.filter((request) => !candidates.includes(request));
    const [request, ...otherCandidates] = candidates;
    if (otherCandidates.length > 0)
      this.mayMissTasks ||= candidates.some(({ method }) => openingMethods.includes(method));
    return request === undefined || otherCandidates.length > 0 ? undefined : this.pairOne(request, message, payload);
  }

  private pairOne(request: JsonObject, message: JsonObject, payload: JsonObject): PairedExchange | undefined {
    const { openRequests, tasks, streamedTasks } = this;
    const namedTask = taskOf(request.payload);
    const unanswered = openRequests
      .filter(({ payload }) => taskOf(payload) === namedTask && tasks.has(namedTask))
      .flatMap(unansweredOf);
    const hasTask = "task" in payload;
    // A postponed request is sent again with the same id.
    if (isPostponed(payload)) this.requestKeys.delete(keyOf(request));
    if (this.repeatedRequests.has(request) || wasMoved(request, payload)) {
      this.mayMissTasks ||= hasTask && !tasks.has(idOf(payload.task));
      return { request, unanswered: [...unanswered, ...unansweredOf(request)] };
    }
    if (request.method === "message/stream") streamedTasks.delete(idOf(payload.task));
    else if (streamedTasks.has(namedTask)) {
      this.mayMissTasks ||= hasTask && !tasks.has(idOf(payload.task));
      return undefined;
    }
    if (!taskMethods.includes(request.method)) return undefined;
    const isUnknown = typeof namedTask === "string" && !tasks.has(namedTask);
    const mayExist = this.mayMissTasks || openRequests.some(({ method }) => openingMethods.includes(method));
    const isUnrelatedRefusal =
      !hasTask && (isForgotten(payload, tasks.has(namedTask)) || hasOtherFault(request, message));
    if ((isUnknown && mayExist) || isUnrelatedRefusal) {
      if (openingMethods.includes(request.method) && hasTask) this.mayMissTasks = true;
      return { request, unanswered: [...unanswered, ...unansweredOf(request)] };
    }
    if (hasTask) tasks.add(idOf(payload.task));
    const { from, method } = request;
    return {
      request,
      unanswered,
      exchange: { from, method, payload: request.payload, answer: payload } as JsonObject,
    };
  }
}

/**
 * Finds the requests that a response may answer, since a response does not name its request. If it repeats the id of a request, which is
 * discouraged, it answers that request. Otherwise it may answer any request between the same parties with the same method.
 */
function answeredBy(response: JsonObject, openRequests: readonly JsonObject[]): JsonObject[] {
  const withSameId = openRequests.filter(({ id }) => id === response.id);
  if (withSameId.length > 0) return withSameId;
  return openRequests.filter(
    ({ from, to = response.from, method }) =>
      from === response.to && to === response.from && method === response.method,
  );
}

function keyOf({ from, id }: JsonObject): string {
  return JSON.stringify([from, id]);
}

function isPostponed({ error }: JsonObject): boolean {
  return isObject(error) && typeof error.code === "number" && error.code >= 5000;
}

/** Whether a message for one task was handled in another task, which is permitted if the named task had already finished. */
function wasMoved({ method, payload }: JsonObject, { task }: JsonObject): boolean {
  const namedTask = taskOf(payload);
  return (
    openingMethods.includes(method) && typeof namedTask === "string" && task !== undefined && idOf(task) !== namedTask
  );
}

/** Whether an agent no longer knows a task that it has reported. It need not store finished tasks. */
function isForgotten({ error }: JsonObject, isKnown: boolean): boolean {
  return isKnown && isObject(error) && error.code === 1001;
}

/** Whether a request has a fault for which it may be refused in any state of its task. */
function hasOtherFault(request: JsonObject, answer: JsonObject): boolean {
  const { version = "0.1", method, payload = {}, timestamp } = request;
  const schema = payloadSchema(method === "message/stream" ? "message/send" : method, "request");
  const isLate =
    typeof timestamp === "number" &&
    typeof answer.timestamp === "number" &&
    Math.abs(timestamp - answer.timestamp) > maxDelaySeconds;
  const isPayloadValid = schema === undefined || fitsSchema(schema, payload);
  const isEnvelopeValid = request.sig === undefined || fitsSchema("envelope", request);
  return version !== "0.1" || isLate || !isPayloadValid || !isEnvelopeValid || diagnosis(request) !== undefined;
}

/** Makes a stand-in exchange for a request with an unknown answer. Empty if the request does not name a task. */
function unansweredOf({ from, payload }: JsonObject): JsonObject[] {
  const taskId = taskOf(payload);
  if (typeof taskId !== "string" || !hasForm(from)) return [];
  const answer = { error: { code: 5001, message: "This answer was not read." } };
  return [{ from, method: "tasks/cancel", payload: { taskId }, answer }];
}

/** Returns the id of the task that a request or an event names. */
function taskOf(payload: Json | undefined): Json | undefined {
  return isObject(payload) ? (payload.taskId ?? null) : null;
}

function idOf(task: Json | undefined): Json | undefined {
  return isObject(task) ? task.id : undefined;
}
