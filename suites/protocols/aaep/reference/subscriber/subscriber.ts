import { isObject, type Json, type JsonObject, jsonOf } from "../../../../../schemas/index.ts";
import { openJws } from "../../rules/jws.ts";
import type { ProducerConnection, Subscriber, SubscriberPolicy } from "./model.ts";
import { presentEvent } from "./present.ts";
import { overSse } from "./sse.ts";
import { overWebSocket } from "./websocket.ts";

export function subscriberOf(policy: SubscriberPolicy): Subscriber {
  return {
    policy,
    items: [],
    notices: [],
    prompts: new Map(),
    seen: new Set(),
    sessions: new Map(),
    outputs: new Map(),
    connections: new Set(),
    moments: [],
    fallen: 0,
    isDown: false,
  };
}

/** Subscribes to a producer, and listens. */
export async function connect(subscriber: Subscriber, given: JsonObject): Promise<JsonObject> {
  const { url, languages, exclude, signed_only: signed } = given;
  const wanted = { languages: texts(languages) ?? ["en-GB"], excluded: texts(exclude) ?? [] };
  const { sends, verifies, isSingle } = subscriber.policy;
  if (isSingle) await disconnect(subscriber);
  const usual: JsonObject = {
    type: "subscription.request",
    aaep_version: "1.0.0",
    subscriber_id: "touchstone-listener",
    capabilities: {
      supports_confirmation_reply: true,
      supports_clarification_reply: true,
      max_events_per_second: 100,
      supported_conformance_levels: [1, 2, 3],
      languages: [...wanted.languages],
      ...(wanted.excluded.length === 0
        ? {}
        : { event_filters: { include: ["aaep:agent.*"], exclude: wanted.excluded } }),
      ...(signed === true ? { accept_signed_manifests_only: true } : {}),
    },
  };
  const request = sends(usual) ?? usual;
  const place = String(url);
  const line = await (place.startsWith("ws")
    ? overWebSocket(place, request)
    : overSse(place, request, subscriber.policy));
  const { type, subscription_id: id, signed_manifest: manifest } = line.answer;
  if (type !== "subscription.accepted") {
    line.end();
    return { skipped: "the producer rejects the subscription" };
  }
  const connection: ProducerConnection = {
    id: String(id),
    line,
    isOpen: true,
    hasLeft: false,
    hasFallen: false,
    wanted,
    given,
  };
  if (signed === true && verifies && !isSigned(manifest)) {
    await leave(subscriber, connection, true);
    return { refused: true };
  }
  subscriber.connections.add(connection);
  void listen(subscriber, connection);
  return {};
}

/** Ends a connection. If the policy closes the subscription first, the close has a reason. */
async function leave({ policy }: Subscriber, connection: ProducerConnection, closes: boolean): Promise<void> {
  const message = policy.sends({ ...closeMessage, subscription_id: connection.id });
  if (closes && message !== undefined) await connection.line.send(message);
  connection.hasLeft = true;
  connection.line.end();
}

const closeMessage = { type: "subscription.close", reason_code: "shutdown", reason_message: "The user has left." };

/** The key of the only producer that it trusts to sign. */
const trustedKey = { kty: "oct", k: Buffer.from("nobody but the harbour").toString("base64url") };

function isSigned(text: Json | undefined): boolean {
  return typeof text === "string" && "payload" in openJws(text, trustedKey);
}

async function listen(subscriber: Subscriber, connection: ProducerConnection): Promise<void> {
  await connection.line.listen((text) => hearText(subscriber, connection, text));
  connection.isOpen = false;
  subscriber.connections.delete(connection);
  const { freesPrompts, respectsClose, survives } = subscriber.policy;
  if (freesPrompts && (respectsClose || !connection.hasLeft))
    for (const [token, prompt] of subscriber.prompts)
      if (prompt.connection === connection) subscriber.prompts.delete(token);
  if (connection.hasLeft) return;
  subscriber.notices.push({ kind: "lost", text: "The connection is lost." });
  if (!survives) subscriber.isDown = true;
  if (connection.hasFallen && !subscriber.isDown) await connect(subscriber, connection.given);
}

/** Handles the text of a frame. */
function hearText(subscriber: Subscriber, connection: ProducerConnection, text: string): void {
  const { policy } = subscriber;
  if (subscriber.isDown || connection.hasFallen || !policy.takes(text)) return;
  const event = jsonOf(text) ?? policy.completes(text);
  if (isObject(event) && String(event.type).startsWith("subscription.")) {
    if (event.type === "subscription.close") void leave(subscriber, connection, false);
    return;
  }
  if (!isObject(event) || policy.breaksAt(event)) {
    if (isObject(event)) subscriber.isDown = true;
    else subscriber.notices.push({ kind: "invalid", text: "What came is no event." });
    return;
  }
  if (!policy.isOurs(event["@context"]) || !policy.isWhole(event)) {
    subscriber.notices.push({ kind: "invalid", text: "An event is not valid." });
    if (policy.falls !== undefined) reconnectLater(subscriber, connection, policy.falls);
    if (policy.dropsInvalid || !policy.isOurs(event["@context"])) return;
  }
  const id = String(event.event_id);
  if (policy.isDouble(id, subscriber.seen)) return;
  subscriber.seen.add(id);
  if (!policy.copes(String(event.type), connection.wanted.excluded)) subscriber.isDown = true;
  if (policy.leavesAt(event)) connection.line.end();
  if (event.urgency !== "critical" && isOutOfBreath(subscriber)) return;
  countEvent(subscriber, event);
  presentEvent(subscriber, connection, event);
  const answer = policy.answers(event);
  if (answer !== undefined)
    setTimeout(() => void decide(subscriber, { event_id: id, ...answer }), policy.hesitates).unref();
}

/** Ends a connection, and reconnects unless it has done so too often. */
function reconnectLater(subscriber: Subscriber, connection: ProducerConnection, times: number): void {
  connection.hasFallen = true;
  subscriber.fallen += 1;
  subscriber.isDown = subscriber.fallen > times;
  connection.line.end();
}

function isOutOfBreath({ moments, policy }: Subscriber): boolean {
  const now = performance.now();
  moments.push(now);
  while (moments.length > 1 && (moments[0] ?? now) < now - 1000) moments.shift();
  return moments.length > policy.breath;
}

/** Checks the number of an event, and notes a wrong order. */
function countEvent({ sessions, notices, policy }: Subscriber, event: JsonObject): void {
  const { session_id: id, sequence_number: number } = event;
  const known = sessions.get(String(id)) ?? { number: -1, isOver: false };
  const isOver = known.isOver || /session\.(?:completed|errored|cancelled)$/.test(String(event.type));
  if (typeof number === "number") {
    if (number < known.number && policy.noticesOrder(known.isOver))
      notices.push({ kind: "order", text: `Number ${number} came after ${known.number}.` });
    known.number = Math.max(known.number, number);
  }
  sessions.set(String(id), { ...known, isOver });
}

/** Sends the user's decision. */
export async function decide(subscriber: Subscriber, given: JsonObject): Promise<JsonObject> {
  const { event_id: id, decision, response } = given;
  const prompt = [...subscriber.prompts].find(([, { event }]) => event.event_id === id);
  if (prompt === undefined || subscriber.isDown) return { sent: false };
  const [token, { event, connection }] = prompt;
  const { survives, respectsClose, forgetsAnswered } = subscriber.policy;
  if (!connection.isOpen && survives && (respectsClose || !connection.hasLeft)) return { sent: false };
  if (forgetsAnswered) subscriber.prompts.delete(token);
  const kind = String(event.type).endsWith("confirmation") ? "confirmation" : "clarification";
  const message = subscriber.policy.sends({
    type: `${kind}.reply`,
    reply_token: event.reply_token ?? "",
    subscription_id: connection.id,
    timestamp: new Date().toISOString(),
    ...(kind === "confirmation" ? { decision: decision ?? "reject" } : { response: response ?? "" }),
  });
  if (message !== undefined) await connection.line.send(message);
  return { sent: message !== undefined };
}

export async function disconnect(subscriber: Subscriber): Promise<JsonObject> {
  for (const connection of subscriber.connections) await leave(subscriber, connection, subscriber.policy.closes);
  return {};
}

export async function change(subscriber: Subscriber, { exclude }: JsonObject): Promise<JsonObject> {
  for (const connection of subscriber.connections) {
    connection.wanted = { ...connection.wanted, excluded: texts(exclude) ?? [] };
    const event_filters = { include: ["aaep:agent.*"], exclude: [...connection.wanted.excluded] };
    const message = subscriber.policy.sends({
      type: "subscription.renegotiate",
      subscription_id: connection.id,
      capabilities: { event_filters },
    });
    if (message !== undefined) await connection.line.send(message);
  }
  return {};
}

function texts(list: Json | undefined): string[] | undefined {
  return Array.isArray(list) ? list.map(String) : undefined;
}
