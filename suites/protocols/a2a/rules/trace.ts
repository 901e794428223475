import {
  type Breach,
  type Checker,
  canonical,
  isObject,
  type Json,
  type JsonObject,
  pointer,
} from "../../../../schemas/index.ts";
import { objectsIn, type ProtocolObject } from "./objects.ts";

const documents = ["session"];
const ended = new Set(["COMPLETED", "FAILED", "CANCELED", "REJECTED"].map((name) => `TASK_STATE_${name}`));

/** A line of a session that the agent sent. */
interface Said {
  at: string;
  operation: string;
  /** The request that it answers: its id, and the number of earlier uses of the id. */
  id: string;
  /** The line, and the request's line. */
  line: number;
  asked: number;
  message: JsonObject;
  objects: ProtocolObject[];
}

/** The agent's lines of a session, each with the objects of the protocol in it. */
function* saidIn(session: Json): Generator<Said> {
  if (!Array.isArray(session)) return;
  const requests = new Map<string, { count: number; line: number }>();
  for (const [index, entry] of session.entries()) {
    if (!isObject(entry) || !isObject(entry.message)) continue;
    const id = JSON.stringify(entry.message.id ?? null);
    const request = requests.get(id) ?? { count: 0, line: -1 };
    if (entry.from !== "agent") {
      requests.set(id, { count: request.count + 1, line: index });
      continue;
    }
    const operation = typeof entry.operation === "string" ? entry.operation : "";
    const document = documentOf(operation, entry.message);
    const at = `/${index}/message`;
    const objects = objectsIn(entry.message, document).map((object) => ({ ...object, at: at + object.at }));
    const key = `${id} ${request.count}`;
    yield { at, operation, id: key, line: index, asked: request.line, message: entry.message, objects };
  }
}

function documentOf(operation: string, message: JsonObject): string {
  if (operation === "push" || operation === "failure") return operation;
  const part = operation === "send-streaming-message" || operation === "subscribe-to-task" ? "item" : "response";
  return Object.hasOwn(message, "jsonrpc") ? `rpc.${operation}.${part}` : `rest.${operation}.${part}`;
}

/** A statement about a task: its id, and the rest. */
interface TaskNews {
  at: string;
  task: string;
  context: string | undefined;
  state: string | undefined;
  timestamp: string | undefined;
}

function* newsIn({ objects }: Said): Generator<TaskNews> {
  for (const { kind, at, value } of objects) {
    if (!["task", "status-update", "artifact-update"].includes(kind)) continue;
    const task = value[kind === "task" ? "id" : "taskId"];
    if (typeof task !== "string" || task === "") continue;
    const [state, timestamp] = ["/status/state", "/status/timestamp"].map((place) => pointer.at(place, value));
    yield {
      at,
      task,
      context: typeof value.contextId === "string" && value.contextId !== "" ? value.contextId : undefined,
      state: typeof state === "string" ? state : undefined,
      timestamp: typeof timestamp === "string" ? timestamp : undefined,
    };
  }
}

/** The last statement about something, and its time. */
interface Last {
  value: string;
  line: number;
  stream: string | undefined;
}

function streamOf({ operation, id }: Said): string | undefined {
  return operation === "send-streaming-message" || operation === "subscribe-to-task" ? id : undefined;
}

/**
 * Whether one statement came later than another: in the same stream, or in answer to a request that was made afterwards. Other answers may
 * have crossed in transit, and calls of webhooks are repeated.
 */
function isLater(said: Said, before: Last): boolean {
  if (said.operation === "push") return false;
  const stream = streamOf(said);
  return stream === undefined || stream !== before.stream ? said.asked > before.line : true;
}

function trace(rule: string, check: (session: Json) => Iterable<Breach>): Checker {
  return { rule, documents, check };
}

const hasOwnIds = trace("A2A-MSG-004", function* (session) {
  const known = new Map<string, string>();
  for (const { objects } of saidIn(session))
    for (const { kind, at, value } of objects) {
      if (kind !== "message" || value.role !== "ROLE_AGENT" || typeof value.messageId !== "string") continue;
      const { contextId: _context, taskId: _task, ...content } = value;
      const text = canonical(content);
      const before = known.get(value.messageId);
      if (before !== undefined && before !== text)
        yield { at: `${at}/messageId`, why: `is "${value.messageId}", as of another message before it` };
      known.set(value.messageId, before ?? text);
    }
});

const hasOneContext = trace("A2A-TASK-007", function* (session) {
  const known = new Map<string, string>();
  for (const said of saidIn(session))
    for (const { at, task, context } of newsIn(said)) {
      if (context === undefined) continue;
      const before = known.get(task);
      if (before !== undefined && before !== context)
        yield { at: `${at}/contextId`, why: `is "${context}", and the task was in "${before}"` };
      known.set(task, before ?? context);
    }
});

const goesOn = trace("A2A-TASK-008", function* (session) {
  const latest = new Map<string, Last>();
  for (const said of saidIn(session))
    for (const { at, task, state, timestamp } of newsIn(said)) {
      if (state === undefined) continue;
      if (timestamp === undefined) yield { at: `${at}/status`, why: "has no timestamp" };
      if (timestamp === undefined || Number.isNaN(Date.parse(timestamp))) continue;
      const before = latest.get(task);
      if (before !== undefined && isLater(said, before) && Date.parse(timestamp) < Date.parse(before.value))
        yield { at: `${at}/status/timestamp`, why: `is "${timestamp}", before "${before.value}"` };
      if (said.operation !== "push") latest.set(task, { value: timestamp, line: said.line, stream: streamOf(said) });
    }
});

const staysEnded = trace("A2A-TASK-011", function* (session) {
  const states = new Map<string, Last>();
  for (const said of saidIn(session))
    for (const { at, task, state } of newsIn(said)) {
      if (state === undefined) continue;
      const before = states.get(task);
      const isAfter = before !== undefined && before.value !== state && isLater(said, before);
      if (isAfter && ended.has(before.value))
        yield { at: `${at}/status/state`, why: `is ${state} after ${before.value}` };
      else if (isAfter && state === "TASK_STATE_SUBMITTED")
        yield { at: `${at}/status/state`, why: `is ${state} again, after ${before.value}`, level: "SHOULD" };
      if (said.operation !== "push" && !(before !== undefined && ended.has(before.value)))
        states.set(task, { value: state, line: said.line, stream: streamOf(said) });
    }
});

/** The items of each stream, in order, without errors. */
function streamsIn(session: Json): { operation: string; items: (Said & { event: JsonObject; eventAt: string })[] }[] {
  const streams = new Map<string, { operation: string; items: (Said & { event: JsonObject; eventAt: string })[] }>();
  for (const said of saidIn(session)) {
    if (streamOf(said) === undefined) continue;
    const inRpc = Object.hasOwn(said.message, "jsonrpc");
    const event = inRpc ? said.message.result : said.message;
    if (!isObject(event)) continue;
    const stream = streams.get(said.id) ?? { operation: said.operation, items: [] };
    stream.items.push({ ...said, event, eventAt: inRpc ? `${said.at}/result` : said.at });
    streams.set(said.id, stream);
  }
  return [...streams.values()];
}

function kindOf(event: JsonObject): string {
  return ["task", "message", "statusUpdate", "artifactUpdate"].find((name) => Object.hasOwn(event, name)) ?? "";
}

const beginsWell = trace("A2A-STREAM-003", function* (session) {
  for (const { items } of streamsIn(session)) {
    const [first] = items;
    const kind = first === undefined ? "" : kindOf(first.event);
    if (first !== undefined && kind.endsWith("Update"))
      yield { at: first.eventAt, why: `is ${kind}, and a stream begins with a task or a message` };
  }
});

const isAlone = trace("A2A-STREAM-004", function* (session) {
  for (const { items } of streamsIn(session)) {
    const [first, second] = items;
    if (first !== undefined && second !== undefined && kindOf(first.event) === "message")
      yield { at: second.eventAt, why: "follows a message, which is alone in its stream" };
  }
});

function stateIn(event: JsonObject): string | undefined {
  const state = pointer.at("/task/status/state", event) ?? pointer.at("/statusUpdate/status/state", event);
  return typeof state === "string" ? state : undefined;
}

const isUpdated = trace("A2A-STREAM-005", function* (session) {
  for (const { items } of streamsIn(session)) {
    if (items[0] === undefined || kindOf(items[0].event) !== "task") continue;
    let state = stateIn(items[0].event);
    for (const [index, { event, eventAt }] of items.entries()) {
      const kind = kindOf(event);
      if (index > 0 && kind === "message") yield { at: eventAt, why: "is a message, and updates follow a task" };
      const isSnapshot = index === items.length - 1 && stateIn(event) === state;
      if (index > 0 && kind === "task" && !isSnapshot)
        yield { at: eventAt, why: "is a task again, amid the stream", level: "SHOULD" };
      state = stateIn(event) ?? state;
    }
  }
});

const isOver = trace("A2A-STREAM-007", function* (session) {
  for (const { items } of streamsIn(session)) {
    let last: string | undefined;
    for (const { event, eventAt } of items) {
      if (last !== undefined && kindOf(event) !== "task") yield { at: eventAt, why: `follows ${last}` };
      const state = stateIn(event);
      if (state !== undefined && ended.has(state)) last ??= state;
    }
  }
});

const namesIts = trace("A2A-STREAM-008", function* (session) {
  for (const { items } of streamsIn(session)) {
    const task = items[0]?.event.task;
    if (!isObject(task)) continue;
    for (const { event, eventAt } of items) {
      const kind = kindOf(event);
      const update = event[kind];
      if (!kind.endsWith("Update") || !isObject(update)) continue;
      if (typeof update.taskId === "string" && update.taskId !== task.id)
        yield { at: `${eventAt}/${kind}/taskId`, why: `is "${update.taskId}", not that of the task of the stream` };
      const { contextId } = task;
      if (typeof contextId === "string" && contextId !== "" && update.contextId !== contextId)
        yield { at: `${eventAt}/${kind}/contextId`, why: "is not that of the task of the stream" };
    }
  }
});

/** The artifacts of a stream so far. */
interface ArtifactsSoFar {
  known: Set<Json>;
  over: Set<Json>;
}

function* artifactUpdates(
  session: Json,
): Generator<{ at: string; update: JsonObject; id: Json; sofar: ArtifactsSoFar }> {
  for (const { items } of streamsIn(session)) {
    const first = pointer.at("/task/artifacts", items[0]?.event ?? null);
    const before = (Array.isArray(first) ? first : []).map((each) => pointer.at("/artifactId", each) ?? null);
    const sofar = { known: new Set<Json>(before), over: new Set<Json>() };
    for (const { event, eventAt } of items) {
      const { artifactUpdate: update } = event;
      const id = pointer.at("/artifact/artifactId", update ?? null);
      if (!isObject(update) || typeof id !== "string") continue;
      yield { at: `${eventAt}/artifactUpdate`, update, id, sofar };
      sofar.known.add(id);
      if (update.lastChunk === true) sofar.over.add(id);
    }
  }
}

const isLast = trace("A2A-ART-004", function* (session) {
  for (const { at, id, sofar } of artifactUpdates(session))
    if (sofar.over.has(id)) yield { at, why: `has more of the artifact "${id}" after its last chunk` };
});

/** A subscription begins during the work, and its first task may lack artifacts. */
const appendsToIts = trace("A2A-ART-005", function* (session) {
  for (const { at, update, id, sofar } of artifactUpdates(session))
    if (update.append === true && !sofar.known.has(id))
      yield { at: `${at}/append`, why: `is true, and no artifact "${id}" was sent before` };
});

export const traceCheckers: readonly Checker[] = [
  hasOwnIds,
  hasOneContext,
  goesOn,
  staysEnded,
  beginsWell,
  isAlone,
  isUpdated,
  isOver,
  namesIts,
  isLast,
  appendsToIts,
];
