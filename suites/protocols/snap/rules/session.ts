import {
  isObject,
  type Json,
  type JsonObject,
  type RecordedReader,
  type SessionMessage,
  type SessionReader,
} from "../../../../schemas/index.ts";

/** The payloads that have schemas, by method. */
const payloads: Readonly<Record<string, string>> = {
  "message/send": "message-send",
  "message/stream": "message-send",
  "tasks/get": "tasks-get",
  "tasks/cancel": "tasks-cancel",
};

interface Item {
  exchange: Json;
  line: number;
}

/** Lines are exchanges, or messages as they were sent, of which a response answers an open request. */
export const session: SessionReader = (lines) => {
  const items: Item[] = [];
  let open: JsonObject[] = [];
  const envelopes: SessionMessage[] = [];
  /** Tasks of which only events have told so far: whatever is asked of one before its stream is answered tells nothing of a sequence. */
  const begun = new Set<Json | undefined>();
  for (const [line, value] of lines.entries()) {
    if (!isEnvelope(value)) {
      items.push({ exchange: value, line });
      continue;
    }
    const envelope: SessionMessage = { message: value, line, document: "envelope", ...sender(value) };
    envelopes.push(envelope);
    if (value.type === "event") begun.add(taskOf(value.payload));
    if (value.type === "request") open.push(value);
    if (value.type !== "response" || !isAnswer(value.payload)) continue;
    const meant = answeredBy(value, open);
    open = open.filter((request) => !meant.includes(request));
    const [asked, ...others] = meant;
    if (asked === undefined || others.length > 0) continue;
    const { from, method, payload } = asked;
    if (method === "message/stream" && isObject(value.payload)) begun.delete(idOf(value.payload.task));
    else if (begun.has(taskOf(payload))) continue;
    // Each is judged as it went; here they are parts of an exchange.
    const at = `/exchanges/${items.length}`;
    envelope.at = `${at}/answer`;
    const request = envelopes.find(({ message }) => message === asked);
    if (request !== undefined) request.at = `${at}/payload`;
    items.push({ exchange: { from, method, payload, answer: value.payload } as JsonObject, line });
  }
  return {
    document: "task-log",
    value: { exchanges: items.map(({ exchange }) => exchange) },
    at: "/exchanges",
    lines: items.map(({ line }) => line),
    messages: envelopes.length > 0 ? envelopes : items.flatMap(payloadsOf),
  };
};

/**
 * The requests that a response may answer: nothing in it says which one it does. Where it has the id of one, against advice, it is that one;
 * otherwise any between the same two by the same method.
 */
function answeredBy(response: JsonObject, open: readonly JsonObject[]): JsonObject[] {
  const named = open.filter(({ id }) => id === response.id);
  if (named.length > 0) return named;
  return open.filter(
    ({ from, to = response.from, method }) =>
      from === response.to && to === response.from && method === response.method,
  );
}

/** Envelopes as they went, also those of a stream of events that the suite wrote. */
export const recorded: RecordedReader = ({ message, text = "" }) => {
  if (message !== undefined) return isEnvelope(message) ? [message] : [];
  return text.split("\n").flatMap((line) => {
    const value = line.startsWith("data:") ? valueIn(line.slice("data:".length)) : undefined;
    return value !== undefined && isEnvelope(value) ? [value] : [];
  });
};

function valueIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function isEnvelope(value: Json): value is JsonObject {
  return isObject(value) && "payload" in value && !("answer" in value) && typeof value.type === "string";
}

/** The task that a request or an event names. */
function taskOf(payload: Json | undefined): Json | undefined {
  return isObject(payload) ? (payload.taskId ?? null) : null;
}

function idOf(task: Json | undefined): Json | undefined {
  return isObject(task) ? task.id : undefined;
}

function isAnswer(payload: Json | undefined): boolean {
  return isObject(payload) && ("task" in payload || "error" in payload);
}

function sender({ from }: JsonObject): { from?: string } {
  return typeof from === "string" ? { from } : {};
}

function payloadsOf({ exchange, line }: Item, index: number): SessionMessage[] {
  if (!isObject(exchange)) return [];
  const { method, payload, answer } = exchange;
  const name = typeof method === "string" && Object.hasOwn(payloads, method) ? payloads[method] : undefined;
  if (name === undefined || payload === undefined || answer === undefined) return [];
  const at = `/exchanges/${index}`;
  return [
    { message: payload, line, at: `${at}/payload`, document: `${name}.request`, ...sender(exchange) },
    { message: answer, line, at: `${at}/answer`, document: `${name}.response`, from: "the agent" },
  ];
}
