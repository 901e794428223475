import {
  isObject,
  type Json,
  type JsonObject,
  jsonOf,
  type RecordedReader,
  type SessionMessage,
  type SessionReader,
} from "../../../../schemas/index.ts";
import { readingOf } from "./pairing.ts";

/** The payloads with schemas, by method. */
const payloads: Readonly<Record<string, string>> = {
  "message/send": "message-send",
  "message/stream": "message-send",
  "tasks/get": "tasks-get",
  "tasks/cancel": "tasks-cancel",
};

interface RecordedExchange {
  exchange: Json;
  line: number;
}

/** All rules on messages and sequences apply to the messages of scenarios. */
export const isHeldLive = true;

/** Scenarios write to parties on other networks. */
export const provoked: readonly string[] = ["SNAP-ADDR-006"];

/** Lines are exchanges, or sent messages; a response answers an open request. */
export const session: SessionReader = (lines) => {
  const items: RecordedExchange[] = [];
  const envelopes: SessionMessage[] = [];
  const reading = readingOf();
  for (const [line, value] of lines.entries()) {
    if (!isEnvelope(value)) {
      if (Array.isArray(value)) reading.miss();
      else items.push({ exchange: value, line });
      continue;
    }
    const envelope: SessionMessage = { message: value, line, document: "envelope", ...sender(value) };
    // The flag in the answer to a repeated request is recommended, but no schema has it.
    if (!isFlagged(value)) envelopes.push(envelope);
    const pairing = reading.take(value);
    if (pairing === undefined) continue;
    const { request: openRequest, exchange, unanswered } = pairing;
    for (const each of unanswered) items.push({ exchange: each, line });
    if (exchange === undefined) continue;
    // The messages are also judged separately. Here they are parts of an exchange.
    const at = `/exchanges/${items.length}`;
    envelope.at = `${at}/answer`;
    const request = envelopes.find(({ message }) => message === openRequest);
    if (request !== undefined) request.at = `${at}/payload`;
    items.push({ exchange, line });
  }
  return {
    document: "task-log",
    value: { exchanges: items.map(({ exchange }) => exchange) },
    at: "/exchanges",
    lines: items.map(({ line }) => line),
    messages: envelopes.length > 0 ? envelopes : items.flatMap(payloadsOf),
  };
};

/** The envelopes as they were sent, including those in a stream of events from the suite. A frame of a relay is a list, and its other parts are not read. */
export const recorded: RecordedReader = ({ message, text = "" }) => {
  if (Array.isArray(message)) return [message];
  if (message !== undefined) return isEnvelope(message) ? [message] : [];
  return text.split("\n").flatMap((line) => {
    const value = line.startsWith("data:") ? jsonOf(line.slice("data:".length)) : undefined;
    return value !== undefined && isEnvelope(value) ? [value] : [];
  });
};

function isEnvelope(value: Json): value is JsonObject {
  return isObject(value) && "payload" in value && !("answer" in value) && typeof value.type === "string";
}

function isFlagged({ type, payload }: JsonObject): boolean {
  return type === "response" && isObject(payload) && typeof payload.deduplicated === "boolean";
}

function sender({ from }: JsonObject): { from?: string } {
  return typeof from === "string" ? { from } : {};
}

function payloadsOf({ exchange, line }: RecordedExchange, index: number): SessionMessage[] {
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
