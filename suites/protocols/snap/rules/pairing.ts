import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { hasForm } from "./address.ts";
import { diagnosis } from "./diagnosis.ts";
import { fitsSchema, payloadSchema } from "./shapes.ts";

/** The findings of a response about tasks. */
export interface PairedExchange {
  request: JsonObject;
  /** Absent if the answer shows nothing about a sequence. */
  exchange?: JsonObject;
  /** Exchanges about the same task with unknown answers, in a form that breaks no rule. */
  unanswered: JsonObject[];
}

/** Reads messages in order, and pairs each response with its request. */
export interface ResponsePairing {
  take(message: JsonObject): PairedExchange | undefined;
  /** Notes an unreadable message: there may be tasks that are not known. */
  miss(): void;
}

/** Methods that open tasks. Until such a request is answered, there may be a task that is not known. */
const opening: readonly unknown[] = ["message/send", "message/stream"];
const methods: readonly unknown[] = [...opening, "tasks/get", "tasks/cancel", "tasks/resubscribe"];

/** The seconds between a request and its answer after which the request may have been too old. */
const maxLength = 50;

export function readingOf(): ResponsePairing {
  return new PairingReader();
}

class PairingReader implements ResponsePairing {
  private open: JsonObject[] = [];
  private readonly asked = new Set<string>();
  /** Requests that repeat an answered request: they may get the earlier answer. */
  private readonly repeated = new Set<JsonObject>();
  /** Tasks known only from events. Answers about them show nothing about a sequence until their stream ends. */
  private readonly begun = new Set<Json | undefined>();
  /** Tasks known from answers. */
  private readonly tasks = new Set<Json | undefined>();
  private isMissed = false;

  take(message: JsonObject): PairedExchange | undefined {
    const namedTask = taskOf(message.payload);
    if (message.type === "event" && typeof namedTask === "string") this.begun.add(namedTask);
    if (message.type === "request") this.keepRequest(message);
    return message.type === "response" ? this.pairResponse(message) : undefined;
  }

  miss(): void {
    this.isMissed = true;
  }

  private keepRequest(message: JsonObject): void {
    const key = keyOf(message);
    const position = this.open.length;
    // A request that is sent again was postponed.
    this.open = this.open.filter((each) => keyOf(each) !== key);
    if (this.asked.has(key) && this.open.length === position) this.repeated.add(message);
    this.asked.add(key);
    this.open.push(message);
  }

  private pairResponse(message: JsonObject): PairedExchange | undefined {
    const { payload } = message;
    if (!isObject(payload) || !("task" in payload || "error" in payload)) return undefined;
    const candidates = answeredBy(message, this.open);
    this.open = this.open.filter((each) => !candidates.includes(each));
    const [request, ...otherCandidates] = candidates;
    if (otherCandidates.length > 0) this.isMissed ||= candidates.some(({ method }) => opening.includes(method));
    return request === undefined || otherCandidates.length > 0 ? undefined : this.pairOne(request, message, payload);
  }

  private pairOne(request: JsonObject, message: JsonObject, payload: JsonObject): PairedExchange | undefined {
    const { open, tasks, begun: startedTasks } = this;
    const namedTask = taskOf(request.payload);
    const unread = open
      .filter((each) => taskOf(each.payload) === namedTask && tasks.has(namedTask))
      .flatMap(unansweredOf);
    const hasTask = "task" in payload;
    // A postponed request comes again with the same id.
    if (isPostponed(payload)) this.asked.delete(keyOf(request));
    if (this.repeated.has(request) || wasMoved(request, payload)) {
      this.isMissed ||= hasTask && !tasks.has(idOf(payload.task));
      return { request: request, unanswered: [...unread, ...unansweredOf(request)] };
    }
    if (request.method === "message/stream") startedTasks.delete(idOf(payload.task));
    else if (startedTasks.has(namedTask)) {
      this.isMissed ||= hasTask && !tasks.has(idOf(payload.task));
      return undefined;
    }
    if (!methods.includes(request.method)) return undefined;
    const isUnknown = typeof namedTask === "string" && !tasks.has(namedTask);
    const mayBeThere = this.isMissed || open.some(({ method }) => opening.includes(method));
    if (
      (isUnknown && mayBeThere) ||
      (!hasTask && (isForgotten(payload, tasks.has(namedTask)) || hasOtherFault(request, message)))
    ) {
      if (opening.includes(request.method) && hasTask) this.isMissed = true;
      return { request: request, unanswered: [...unread, ...unansweredOf(request)] };
    }
    if (hasTask) tasks.add(idOf(payload.task));
    const { from, method } = request;
    return {
      request: request,
      unanswered: unread,
      exchange: { from, method, payload: request.payload, answer: payload } as JsonObject,
    };
  }
}

/**
 * The requests that a response may answer. A response does not name its request. If it repeats the id of a request, which is discouraged, it answers that request.
 * Otherwise it may answer any request between the same two parties with the same method.
 */
function answeredBy(response: JsonObject, open: readonly JsonObject[]): JsonObject[] {
  const namedTask = open.filter(({ id }) => id === response.id);
  if (namedTask.length > 0) return namedTask;
  return open.filter(
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

/** Whether a message for one task was handled by another task. The first task may have finished in the meantime, and the specification does not say how such a message is handled. */
function wasMoved({ method, payload }: JsonObject, { task }: JsonObject): boolean {
  const namedTask = taskOf(payload);
  return opening.includes(method) && typeof namedTask === "string" && task !== undefined && idOf(task) !== namedTask;
}

/** Whether an agent does not know a task that it has reported: the task may have finished in the meantime, and need not be stored. */
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
    Math.abs(timestamp - answer.timestamp) > maxLength;
  const isFit = schema === undefined || fitsSchema(schema, payload);
  const isWhole = request.sig === undefined || fitsSchema("envelope", request);
  return version !== "0.1" || isLate || !isFit || !isWhole || diagnosis(request) !== undefined;
}

/** A request about a task with an unknown answer. */
function unansweredOf({ from, payload }: JsonObject): JsonObject[] {
  const taskId = taskOf(payload);
  if (typeof taskId !== "string" || !hasForm(from)) return [];
  const answer = { error: { code: 5001, message: "This answer was not read." } };
  return [{ from, method: "tasks/cancel", payload: { taskId }, answer }];
}

/** The task that a request or an event names. */
function taskOf(payload: Json | undefined): Json | undefined {
  return isObject(payload) ? (payload.taskId ?? null) : null;
}

function idOf(task: Json | undefined): Json | undefined {
  return isObject(task) ? task.id : undefined;
}
