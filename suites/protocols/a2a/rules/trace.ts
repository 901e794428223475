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
const finalStates = new Set(["COMPLETED", "FAILED", "CANCELED", "REJECTED"].map((name) => `TASK_STATE_${name}`));

/** A message from the agent, with its line in the session. */
interface AgentLine {
  at: string;
  operation: string;
  /** Identifies the answered request: its id and the number of requests so far with that id. */
  id: string;
  line: number;
  /** The line of the answered request, or -1. */
  requestLine: number;
  message: JsonObject;
  objects: ProtocolObject[];
}

/** Yields the messages from the agent in a session, each with its protocol objects. */
function* agentLinesIn(session: Json): Generator<AgentLine> {
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
    yield { at, operation, id: key, line: index, requestLine: request.line, message: entry.message, objects };
  }
}

function documentOf(operation: string, message: JsonObject): string {
  if (operation === "push" || operation === "failure") return operation;
  const part = operation === "send-streaming-message" || operation === "subscribe-to-task" ? "item" : "response";
  return Object.hasOwn(message, "jsonrpc") ? `rpc.${operation}.${part}` : `rest.${operation}.${part}`;
}

/** The facts about a task in one message. */
interface TaskStatement {
  at: string;
  task: string;
  context: string | undefined;
  state: string | undefined;
  timestamp: string | undefined;
}

function* taskStatementsIn({ objects }: AgentLine): Generator<TaskStatement> {
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

/** The last known value of a task's state or timestamp, with its location. */
interface EarlierStatement {
  value: string;
  line: number;
  stream: string | undefined;
}

function streamIdOf({ operation, id }: AgentLine): string | undefined {
  return operation === "send-streaming-message" || operation === "subscribe-to-task" ? id : undefined;
}

/**
 * Whether a message was certainly produced after an earlier statement: in the same stream, or as the answer to a later request.
 * Other answers may have crossed in transit, and webhook calls may be repeated.
 */
function isLater(agentLine: AgentLine, earlier: EarlierStatement): boolean {
  if (agentLine.operation === "push") return false;
  const stream = streamIdOf(agentLine);
  const isSameStream = stream !== undefined && stream === earlier.stream;
  return isSameStream || agentLine.requestLine > earlier.line;
}

function onSession(rule: string, check: (session: Json) => Iterable<Breach>): Checker {
  return { rule, documents, check };
}

const distinctMessageIds = onSession("A2A-MSG-004", function* (session) {
  const contents = new Map<string, string>();
  for (const { objects } of agentLinesIn(session))
    for (const { kind, at, value } of objects) {
      if (kind !== "message" || value.role !== "ROLE_AGENT" || typeof value.messageId !== "string") continue;
      const { contextId: _context, taskId: _task, ...content } = value;
      const text = canonical(content);
      const earlier = contents.get(value.messageId);
      if (earlier !== undefined && earlier !== text)
        yield { at: `${at}/messageId`, why: `is "${value.messageId}", the id of an earlier and different message` };
      contents.set(value.messageId, earlier ?? text);
    }
});

const oneContextPerTask = onSession("A2A-TASK-007", function* (session) {
  const contexts = new Map<string, string>();
  for (const agentLine of agentLinesIn(session))
    for (const { at, task, context } of taskStatementsIn(agentLine)) {
      if (context === undefined) continue;
      const earlier = contexts.get(task);
      if (earlier !== undefined && earlier !== context)
        yield { at: `${at}/contextId`, why: `is "${context}", but the task was in "${earlier}" before` };
      contexts.set(task, earlier ?? context);
    }
});

const advancingTimestamps = onSession("A2A-TASK-008", function* (session) {
  const latest = new Map<string, EarlierStatement>();
  for (const agentLine of agentLinesIn(session))
    for (const { at, task, state, timestamp } of taskStatementsIn(agentLine)) {
      if (state === undefined) continue;
      if (timestamp === undefined) yield { at: `${at}/status`, why: "has no timestamp" };
      if (timestamp === undefined || Number.isNaN(Date.parse(timestamp))) continue;
      const earlier = latest.get(task);
      if (earlier !== undefined && isLater(agentLine, earlier) && Date.parse(timestamp) < Date.parse(earlier.value))
        yield { at: `${at}/status/timestamp`, why: `is "${timestamp}", before "${earlier.value}"` };
      if (agentLine.operation !== "push")
        latest.set(task, { value: timestamp, line: agentLine.line, stream: streamIdOf(agentLine) });
    }
});

const lastingEnds = onSession("A2A-TASK-011", function* (session) {
  const states = new Map<string, EarlierStatement>();
  for (const agentLine of agentLinesIn(session))
    for (const { at, task, state } of taskStatementsIn(agentLine)) {
      if (state === undefined) continue;
      const earlier = states.get(task);
      const isAfter = earlier !== undefined && earlier.value !== state && isLater(agentLine, earlier);
      if (isAfter && finalStates.has(earlier.value))
        yield { at: `${at}/status/state`, why: `is ${state} after ${earlier.value}` };
      else if (isAfter && state === "TASK_STATE_SUBMITTED")
        yield { at: `${at}/status/state`, why: `is ${state} again, after ${earlier.value}`, level: "SHOULD" };
      if (agentLine.operation !== "push" && !(earlier !== undefined && finalStates.has(earlier.value)))
        states.set(task, { value: state, line: agentLine.line, stream: streamIdOf(agentLine) });
    }
});

interface StreamRecord {
  operation: string;
  items: (AgentLine & { event: JsonObject; eventAt: string })[];
}

/** Lists the items of each stream, in order, without errors. */
function streamsIn(session: Json): StreamRecord[] {
  const streams = new Map<string, StreamRecord>();
  for (const agentLine of agentLinesIn(session)) {
    if (streamIdOf(agentLine) === undefined) continue;
    const isOverJsonRpc = Object.hasOwn(agentLine.message, "jsonrpc");
    const event = isOverJsonRpc ? agentLine.message.result : agentLine.message;
    if (!isObject(event)) continue;
    const stream = streams.get(agentLine.id) ?? { operation: agentLine.operation, items: [] };
    stream.items.push({ ...agentLine, event, eventAt: isOverJsonRpc ? `${agentLine.at}/result` : agentLine.at });
    streams.set(agentLine.id, stream);
  }
  return [...streams.values()];
}

function kindOf(event: JsonObject): string {
  return ["task", "message", "statusUpdate", "artifactUpdate"].find((name) => Object.hasOwn(event, name)) ?? "";
}

const streamBeginnings = onSession("A2A-STREAM-003", function* (session) {
  for (const { items } of streamsIn(session)) {
    const [first] = items;
    const kind = first === undefined ? "" : kindOf(first.event);
    if (first !== undefined && kind.endsWith("Update"))
      yield { at: first.eventAt, why: `is ${kind}, but a stream begins with a task or a message` };
  }
});

const loneMessages = onSession("A2A-STREAM-004", function* (session) {
  for (const { items } of streamsIn(session)) {
    const [first, second] = items;
    if (first !== undefined && second !== undefined && kindOf(first.event) === "message")
      yield { at: second.eventAt, why: "follows a message, which must be alone in its stream" };
  }
});

function stateIn(event: JsonObject): string | undefined {
  const state = pointer.at("/task/status/state", event) ?? pointer.at("/statusUpdate/status/state", event);
  return typeof state === "string" ? state : undefined;
}

const updatesAfterTask = onSession("A2A-STREAM-005", function* (session) {
  for (const { items } of streamsIn(session)) {
    if (items[0] === undefined || kindOf(items[0].event) !== "task") continue;
    let state = stateIn(items[0].event);
    for (const [index, { event, eventAt }] of items.entries()) {
      const kind = kindOf(event);
      if (index > 0 && kind === "message")
        yield { at: eventAt, why: "is a message, but only updates may follow a task" };
      const isSnapshot = index === items.length - 1 && stateIn(event) === state;
      if (index > 0 && kind === "task" && !isSnapshot)
        yield { at: eventAt, why: "is a whole task again, in the middle of the stream", level: "SHOULD" };
      state = stateIn(event) ?? state;
    }
  }
});

const streamEnds = onSession("A2A-STREAM-007", function* (session) {
  for (const { items } of streamsIn(session)) {
    let finalState: string | undefined;
    for (const { event, eventAt } of items) {
      if (finalState !== undefined && kindOf(event) !== "task") yield { at: eventAt, why: `follows ${finalState}` };
      const state = stateIn(event);
      if (state !== undefined && finalStates.has(state)) finalState ??= state;
    }
  }
});

const tasksOfUpdates = onSession("A2A-STREAM-008", function* (session) {
  for (const { items } of streamsIn(session)) {
    const task = items[0]?.event.task;
    if (!isObject(task)) continue;
    for (const { event, eventAt } of items) {
      const kind = kindOf(event);
      const update = event[kind];
      if (!kind.endsWith("Update") || !isObject(update)) continue;
      if (typeof update.taskId === "string" && update.taskId !== task.id)
        yield { at: `${eventAt}/${kind}/taskId`, why: `is "${update.taskId}", not the id of the stream's task` };
      const { contextId } = task;
      if (typeof contextId === "string" && contextId !== "" && update.contextId !== contextId)
        yield { at: `${eventAt}/${kind}/contextId`, why: "is not the context of the stream's task" };
    }
  }
});

/** The ids of a stream's artifacts so far: all that were sent, and those with a last chunk. */
interface EarlierArtifacts {
  sent: Set<Json>;
  finished: Set<Json>;
}

function* artifactUpdatesIn(
  session: Json,
): Generator<{ at: string; update: JsonObject; id: Json; earlier: EarlierArtifacts }> {
  for (const { items } of streamsIn(session)) {
    const firstArtifacts = pointer.at("/task/artifacts", items[0]?.event ?? null);
    const initialIds = (Array.isArray(firstArtifacts) ? firstArtifacts : []).map(
      (artifact) => pointer.at("/artifactId", artifact) ?? null,
    );
    const earlier = { sent: new Set<Json>(initialIds), finished: new Set<Json>() };
    for (const { event, eventAt } of items) {
      const { artifactUpdate: update } = event;
      const id = pointer.at("/artifact/artifactId", update ?? null);
      if (!isObject(update) || typeof id !== "string") continue;
      yield { at: `${eventAt}/artifactUpdate`, update, id, earlier };
      earlier.sent.add(id);
      if (update.lastChunk === true) earlier.finished.add(id);
    }
  }
}

const lastChunks = onSession("A2A-ART-004", function* (session) {
  for (const { at, id, earlier } of artifactUpdatesIn(session))
    if (earlier.finished.has(id)) yield { at, why: `continues the artifact "${id}" after its last chunk` };
});

/** A subscription may begin in the middle of the work, so the artifacts of its first task count as sent. */
const appendedArtifacts = onSession("A2A-ART-005", function* (session) {
  for (const { at, update, id, earlier } of artifactUpdatesIn(session))
    if (update.append === true && !earlier.sent.has(id))
      yield { at: `${at}/append`, why: `is true, but no artifact "${id}" was sent before` };
});

export const traceCheckers: readonly Checker[] = [
  distinctMessageIds,
  oneContextPerTask,
  advancingTimestamps,
  lastingEnds,
  streamBeginnings,
  loneMessages,
  updatesAfterTask,
  streamEnds,
  tasksOfUpdates,
  lastChunks,
  appendedArtifacts,
];
