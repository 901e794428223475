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

/** The documents of payloads with schemas, by method. */
const payloadNames: Readonly<Record<string, string>> = {
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

/** Scenarios break this rule on purpose: they write to parties on another network. */
export const provoked: readonly string[] = ["SNAP-ADDR-006"];

/** Reads lines that are exchanges or single messages, and pairs each response with an open request. */
export const session: SessionReader = (lines) => {
  const recordedExchanges: RecordedExchange[] = [];
  const envelopes: SessionMessage[] = [];
  const pairings = readingOf();
  for (const [line, value] of lines.entries()) {
    if (!isEnvelope(value)) {
      if (Array.isArray(value)) pairings.miss();
      else recordedExchanges.push({ exchange: value, line });
      continue;
    }
    const envelope: SessionMessage = { message: value, line, document: "envelope", ...senderOf(value) };
    // The flag in the answer to a repeated request is recommended, but no schema has it.
    if (!isFlagged(value)) envelopes.push(envelope);
    const pairing = pairings.take(value);
    if (pairing === undefined) continue;
    const { request: openRequest, exchange, unanswered } = pairing;
    for (const standIn of unanswered) recordedExchanges.push({ exchange: standIn, line });
    if (exchange === undefined) continue;
    // Both messages are also judged separately, and must be found in the log as parts of this exchange.
    const at = `/exchanges/${recordedExchanges.length}`;
    envelope.at = `${at}/answer`;
    const request = envelopes.find(({ message }) => message === openRequest);
    if (request !== undefined) request.at = `${at}/payload`;
    recordedExchanges.push({ exchange, line });
  }
  return {
    document: "task-log",
    value: { exchanges: recordedExchanges.map(({ exchange }) => exchange) },
    at: "/exchanges",
    lines: recordedExchanges.map(({ line }) => line),
    messages: envelopes.length > 0 ? envelopes : recordedExchanges.flatMap(payloadsOf),
  };
};

/** Reads the messages of a recorded item, including those in a stream of events. The frame of a relay is an array, and is kept unread. */
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

function senderOf({ from }: JsonObject): { from?: string } {
  return typeof from === "string" ? { from } : {};
}

function payloadsOf({ exchange, line }: RecordedExchange, index: number): SessionMessage[] {
  if (!isObject(exchange)) return [];
  const { method, payload, answer } = exchange;
  const name = typeof method === "string" && Object.hasOwn(payloadNames, method) ? payloadNames[method] : undefined;
  if (name === undefined || payload === undefined || answer === undefined) return [];
  const at = `/exchanges/${index}`;
  return [
    { message: payload, line, at: `${at}/payload`, document: `${name}.request`, ...senderOf(exchange) },
    { message: answer, line, at: `${at}/answer`, document: `${name}.response`, from: "the agent" },
  ];
}
