import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { hasForm } from "./address.ts";
import { diagnosis } from "./diagnosis.ts";
import { fitsSchema, payloadSchema } from "./shapes.ts";

/** The findings of a response about tasks. */
export interface Paired {
  asked: JsonObject;
  /** Absent if the answer shows nothing about a sequence. */
  exchange?: JsonObject;
  /** Exchanges about the same task with unknown answers, in a form that breaks no rule. */
  unread: JsonObject[];
}

/** Reads messages in order, and pairs each response with its request. */
export interface ResponsePairing {
  take(message: JsonObject): Paired | undefined;
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

  take(message: JsonObject): Paired | undefined {
    const named = taskOf(message.payload);
    if (message.type === "event" && typeof named === "string") this.begun.add(named);
    if (message.type === "request") this.keepRequest(message);
    return message.type === "response" ? this.pairResponse(message) : undefined;
  }

  miss(): void {
    this.isMissed = true;
  }

  private keepRequest(message: JsonObject): void {
    const key = keyOf(message);
    const put = this.open.length;
    // A request that is sent again was postponed.
    this.open = this.open.filter((each) => keyOf(each) !== key);
    if (this.asked.has(key) && this.open.length === put) this.repeated.add(message);
    this.asked.add(key);
    this.open.push(message);
  }

  private pairResponse(message: JsonObject): Paired | undefined {
    const { payload } = message;
    if (!isObject(payload) || !("task" in payload || "error" in payload)) return undefined;
    const meant = answeredBy(message, this.open);
    this.open = this.open.filter((each) => !meant.includes(each));
    const [request, ...others] = meant;
    if (others.length > 0) this.isMissed ||= meant.some(({ method }) => opening.includes(method));
    return request === undefined || others.length > 0 ? undefined : this.pairOne(request, message, payload);
  }

  private pairOne(request: JsonObject, message: JsonObject, payload: JsonObject): Paired | undefined {
    const { open, tasks, begun } = this;
    const named = taskOf(request.payload);
    const unread = open.filter((each) => taskOf(each.payload) === named && tasks.has(named)).flatMap(unreadOf);
    const isTold = "task" in payload;
    // A postponed request comes again with the same id.
    if (isPutOff(payload)) this.asked.delete(keyOf(request));
    if (this.repeated.has(request) || isElsewhere(request, payload)) {
      this.isMissed ||= isTold && !tasks.has(idOf(payload.task));
      return { asked: request, unread: [...unread, ...unreadOf(request)] };
    }
    if (request.method === "message/stream") begun.delete(idOf(payload.task));
    else if (begun.has(named)) {
      this.isMissed ||= isTold && !tasks.has(idOf(payload.task));
      return undefined;
    }
    if (!methods.includes(request.method)) return undefined;
    const isUnknown = typeof named === "string" && !tasks.has(named);
    const mayBeThere = this.isMissed || open.some(({ method }) => opening.includes(method));
    if (
      (isUnknown && mayBeThere) ||
      (!isTold && (isForgotten(payload, tasks.has(named)) || isAnyhowRefused(request, message)))
    ) {
      if (opening.includes(request.method) && isTold) this.isMissed = true;
      return { asked: request, unread: [...unread, ...unreadOf(request)] };
    }
    if (isTold) tasks.add(idOf(payload.task));
    const { from, method } = request;
    return {
      asked: request,
      unread,
      exchange: { from, method, payload: request.payload, answer: payload } as JsonObject,
    };
  }
}

/**
 * The requests that a response may answer. A response does not name its request. If it repeats the id of a request, which is discouraged, it answers that request.
 * Otherwise it may answer any request between the same two parties with the same method.
 */
function answeredBy(response: JsonObject, open: readonly JsonObject[]): JsonObject[] {
  const named = open.filter(({ id }) => id === response.id);
  if (named.length > 0) return named;
  return open.filter(
    ({ from, to = response.from, method }) =>
      from === response.to && to === response.from && method === response.method,
  );
}

function keyOf({ from, id }: JsonObject): string {
  return JSON.stringify([from, id]);
}

function isPutOff({ error }: JsonObject): boolean {
  return isObject(error) && typeof error.code === "number" && error.code >= 5000;
}

/** Whether a message for one task was handled by another task. The first task may have finished in the meantime, and the specification does not say how such a message is handled. */
function isElsewhere({ method, payload }: JsonObject, { task }: JsonObject): boolean {
  const named = taskOf(payload);
  return opening.includes(method) && typeof named === "string" && task !== undefined && idOf(task) !== named;
}

/** Whether an agent does not know a task that it has reported: the task may have finished in the meantime, and need not be stored. */
function isForgotten({ error }: JsonObject, isKnown: boolean): boolean {
  return isKnown && isObject(error) && error.code === 1001;
}

/** Whether a request has a fault for which it may be refused in any state of its task. */
function isAnyhowRefused(asked: JsonObject, answer: JsonObject): boolean {
  const { version = "0.1", method, payload = {}, timestamp } = asked;
  const schema = payloadSchema(method === "message/stream" ? "message/send" : method, "request");
  const isLate =
    typeof timestamp === "number" &&
    typeof answer.timestamp === "number" &&
    Math.abs(timestamp - answer.timestamp) > maxLength;
  const isFit = schema === undefined || fitsSchema(schema, payload);
  const isWhole = asked.sig === undefined || fitsSchema("envelope", asked);
  return version !== "0.1" || isLate || !isFit || !isWhole || diagnosis(asked) !== undefined;
}

/** A request about a task with an unknown answer. */
function unreadOf({ from, payload }: JsonObject): JsonObject[] {
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
