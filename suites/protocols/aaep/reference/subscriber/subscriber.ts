import { isObject, type Json, type JsonObject, jsonOf } from "../../../../../schemas/index.ts";
import { openJws } from "../../rules/jws.ts";
import type { ProducerConnection, Subscriber, SubscriberPolicy } from "./model.ts";
import { presentEvent } from "./present.ts";
import { connectOverSse } from "./sse.ts";
import { connectOverWebSocket } from "./websocket.ts";

export function createSubscriber(policy: SubscriberPolicy): Subscriber {
  return {
    policy,
    items: [],
    notices: [],
    prompts: new Map(),
    seenIds: new Set(),
    sessions: new Map(),
    outputs: new Map(),
    connections: new Set(),
    eventTimes: [],
    crashes: 0,
    isDown: false,
  };
}

/** Subscribes to a producer, and listens to its events. */
export async function connect(subscriber: Subscriber, connectOptions: JsonObject): Promise<JsonObject> {
  const { url, languages, exclude, signed_only: signedOnly } = connectOptions;
  const terms = { languages: toStrings(languages) ?? ["en-GB"], excludedTypes: toStrings(exclude) ?? [] };
  const { changeMessage, verifiesSignatures, usesOneProducer } = subscriber.policy;
  if (usesOneProducer) await disconnect(subscriber);
  const usualRequest: JsonObject = {
    type: "subscription.request",
    aaep_version: "1.0.0",
    subscriber_id: "touchstone-listener",
    capabilities: {
      supports_confirmation_reply: true,
      supports_clarification_reply: true,
      max_events_per_second: 100,
      supported_conformance_levels: [1, 2, 3],
      languages: [...terms.languages],
      ...(terms.excludedTypes.length === 0
        ? {}
        : { event_filters: { include: ["aaep:agent.*"], exclude: terms.excludedTypes } }),
      ...(signedOnly === true ? { accept_signed_manifests_only: true } : {}),
    },
  };
  const request = changeMessage(usualRequest) ?? usualRequest;
  const address = String(url);
  const transport = await (address.startsWith("ws")
    ? connectOverWebSocket(address, request)
    : connectOverSse(address, request, subscriber.policy));
  const { type, subscription_id: id, signed_manifest: manifest } = transport.answer;
  if (type !== "subscription.accepted") {
    transport.end();
    return { skipped: "the producer rejects the subscription" };
  }
  const connection: ProducerConnection = {
    id: String(id),
    transport,
    isOpen: true,
    hasLeft: false,
    hasCrashed: false,
    terms,
    connectOptions,
  };
  if (signedOnly === true && verifiesSignatures && !isSigned(manifest)) {
    await leave(subscriber, connection, true);
    return { refused: true };
  }
  subscriber.connections.add(connection);
  void listen(subscriber, connection);
  return {};
}

/** Ends a connection, after a close message with a reason if `closes` is set. */
async function leave({ policy }: Subscriber, connection: ProducerConnection, closes: boolean): Promise<void> {
  const message = policy.changeMessage({ ...closeMessage, subscription_id: connection.id });
  if (closes && message !== undefined) await connection.transport.send(message);
  connection.hasLeft = true;
  connection.transport.end();
}

const closeMessage = { type: "subscription.close", reason_code: "shutdown", reason_message: "The user has left." };

/** The key of the only producer with a signature that it trusts. */
const trustedKey = { kty: "oct", k: Buffer.from("nobody but the harbour").toString("base64url") };

function isSigned(jws: Json | undefined): boolean {
  return typeof jws === "string" && "payload" in openJws(jws, trustedKey);
}

async function listen(subscriber: Subscriber, connection: ProducerConnection): Promise<void> {
  await connection.transport.listen((text) => handleText(subscriber, connection, text));
  connection.isOpen = false;
  subscriber.connections.delete(connection);
  const { closesPromptsOnLoss, respectsClose, survivesLoss } = subscriber.policy;
  if (closesPromptsOnLoss && (respectsClose || !connection.hasLeft))
    for (const [token, prompt] of subscriber.prompts)
      if (prompt.connection === connection) subscriber.prompts.delete(token);
  if (connection.hasLeft) return;
  subscriber.notices.push({ kind: "lost", text: "The connection is lost." });
  if (!survivesLoss) subscriber.isDown = true;
  if (connection.hasCrashed && !subscriber.isDown) await connect(subscriber, connection.connectOptions);
}

/** Handles the text of a frame. */
function handleText(subscriber: Subscriber, connection: ProducerConnection, text: string): void {
  const { policy } = subscriber;
  if (subscriber.isDown || connection.hasCrashed || !policy.acceptsFrame(text)) return;
  const event = jsonOf(text) ?? policy.repairFrame(text);
  if (isObject(event) && String(event.type).startsWith("subscription.")) {
    if (event.type === "subscription.close") void leave(subscriber, connection, false);
    return;
  }
  if (!isObject(event) || policy.crashesAt(event)) {
    if (isObject(event)) subscriber.isDown = true;
    else subscriber.notices.push({ kind: "invalid", text: "A message is not an event." });
    return;
  }
  if (!policy.isKnownContext(event["@context"]) || !policy.hasValidEnvelope(event)) {
    subscriber.notices.push({ kind: "invalid", text: "An event is not valid." });
    if (policy.maxCrashes !== undefined) reconnectLater(subscriber, connection, policy.maxCrashes);
    if (policy.dropsInvalid || !policy.isKnownContext(event["@context"])) return;
  }
  const id = String(event.event_id);
  if (policy.isDuplicate(id, subscriber.seenIds)) return;
  subscriber.seenIds.add(id);
  if (!policy.survivesEvent(String(event.type), connection.terms.excludedTypes)) subscriber.isDown = true;
  if (policy.disconnectsAt(event)) connection.transport.end();
  if (event.urgency !== "critical" && isOverloaded(subscriber)) return;
  checkOrder(subscriber, event);
  presentEvent(subscriber, connection, event);
  const answer = policy.answerAutomatically(event);
  if (answer !== undefined)
    setTimeout(() => void decide(subscriber, { event_id: id, ...answer }), policy.answerDelay).unref();
}

/** Ends a connection, and reconnects unless it has done so too often. */
function reconnectLater(subscriber: Subscriber, connection: ProducerConnection, maxCrashes: number): void {
  connection.hasCrashed = true;
  subscriber.crashes += 1;
  subscriber.isDown = subscriber.crashes > maxCrashes;
  connection.transport.end();
}

function isOverloaded({ eventTimes, policy }: Subscriber): boolean {
  const now = performance.now();
  eventTimes.push(now);
  while (eventTimes.length > 1 && (eventTimes[0] ?? now) < now - 1000) eventTimes.shift();
  return eventTimes.length > policy.maxEventsPerSecond;
}

/** Checks the number of an event, and notes a wrong order. */
function checkOrder({ sessions, notices, policy }: Subscriber, event: JsonObject): void {
  const { session_id: id, sequence_number: number } = event;
  const session = sessions.get(String(id)) ?? { number: -1, isOver: false };
  const isOver = session.isOver || /session\.(?:completed|errored|cancelled)$/.test(String(event.type));
  if (typeof number === "number") {
    if (number < session.number && policy.noticesOrder(session.isOver))
      notices.push({ kind: "order", text: `Number ${number} arrived after ${session.number}.` });
    session.number = Math.max(session.number, number);
  }
  sessions.set(String(id), { ...session, isOver });
}

/** Sends the user's decision. */
export async function decide(subscriber: Subscriber, request: JsonObject): Promise<JsonObject> {
  const { event_id: id, decision, response } = request;
  const prompt = [...subscriber.prompts].find(([, { event }]) => event.event_id === id);
  if (prompt === undefined || subscriber.isDown) return { sent: false };
  const [token, { event, connection }] = prompt;
  const { survivesLoss, respectsClose, closesAnsweredPrompt } = subscriber.policy;
  if (!connection.isOpen && survivesLoss && (respectsClose || !connection.hasLeft)) return { sent: false };
  if (closesAnsweredPrompt) subscriber.prompts.delete(token);
  const kind = String(event.type).endsWith("confirmation") ? "confirmation" : "clarification";
  const message = subscriber.policy.changeMessage({
    type: `${kind}.reply`,
    reply_token: event.reply_token ?? "",
    subscription_id: connection.id,
    timestamp: new Date().toISOString(),
    ...(kind === "confirmation" ? { decision: decision ?? "reject" } : { response: response ?? "" }),
  });
  if (message !== undefined) await connection.transport.send(message);
  return { sent: message !== undefined };
}

export async function disconnect(subscriber: Subscriber): Promise<JsonObject> {
  for (const connection of subscriber.connections) await leave(subscriber, connection, subscriber.policy.sendsClose);
  return {};
}

export async function changeTerms(subscriber: Subscriber, { exclude }: JsonObject): Promise<JsonObject> {
  for (const connection of subscriber.connections) {
    connection.terms = { ...connection.terms, excludedTypes: toStrings(exclude) ?? [] };
    const event_filters = { include: ["aaep:agent.*"], exclude: [...connection.terms.excludedTypes] };
    const message = subscriber.policy.changeMessage({
      type: "subscription.renegotiate",
      subscription_id: connection.id,
      capabilities: { event_filters },
    });
    if (message !== undefined) await connection.transport.send(message);
  }
  return {};
}

function toStrings(list: Json | undefined): string[] | undefined {
  return Array.isArray(list) ? list.map(String) : undefined;
}
