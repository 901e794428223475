import {
  canonical,
  type HttpReply,
  isObject,
  type Json,
  type JsonObject,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { boundOf } from "../../ahcp/scenarios/bounds.ts";
import { waitInRealTime } from "../../ahcp/scenarios/deadline.ts";
import type { CallerName } from "../../ahcp/scenarios/inbox-room.ts";
import { ask, notify, task } from "../../ahcp/scenarios/messages.ts";
import { cachedCapability, readPublished } from "../../ahcp/scenarios/published.ts";
import { inShort, outcomeOf, pathOf, readStored, submit } from "../../ahcp/scenarios/steps.ts";

/** A registered session. */
export interface OpenSession {
  id: string;
  /** The session in the hub's answer. */
  shown: JsonObject;
  reply: HttpReply;
}

/** The name of an agent in a scenario. */
export type AgentName = Extract<CallerName, "a" | "b">;

/** The published settings of sessions. Throws a TargetSkip for a hub that does not offer sessions. */
export async function publishedSessions(context: ScenarioContext): Promise<JsonObject> {
  const { sessions } = await readPublished(context);
  if (!isObject(sessions) || sessions.enabled !== true) throw new TargetSkip("the hub does not offer sessions");
  return sessions;
}

/** The published settings of the hub's mailboxes; undefined if it has none. */
export async function publishedMailboxes(context: ScenarioContext): Promise<JsonObject | undefined> {
  const { inbound } = await cachedCapability(context);
  return isObject(inbound) && inbound.enabled === true ? inbound : undefined;
}

/** The published settings of mailboxes. Throws a TargetSkip for a hub that does not let agents write to each other. */
export async function publishedInbox(context: ScenarioContext): Promise<JsonObject> {
  const { inter_agent: interAgent, inbound } = await readPublished(context);
  const isOffered = isObject(interAgent) && interAgent.enabled === true && isObject(inbound);
  if (!isOffered) throw new TargetSkip("the hub does not let agents write to each other");
  return inbound;
}

export function requestRegistration(
  context: ScenarioContext,
  body: JsonObject | string,
  as: AgentName = "a",
): Promise<HttpReply> {
  return context.send({ method: "POST", path: "/v1/sessions", body, as });
}

/** The session in an answer. */
export function sessionIn({ json }: HttpReply): JsonObject {
  return isObject(json) && isObject(json.session) ? json.session : {};
}

/** The lease to request. It outlasts most scenarios, but a hub may grant a different lease. */
const usualLease = { ttl_seconds: 600 };

/** Registers a session. Throws a TargetFailure if the hub refuses, and a TargetSkip if the agent has reached its limit. */
export async function register(
  context: ScenarioContext,
  as: AgentName = "a",
  body: JsonObject = usualLease,
): Promise<OpenSession> {
  const request = { method: "POST", path: "/v1/sessions", body, as };
  let reply = await context.send({ ...request, isHurried: true });
  if (reply.status === 429) {
    const { max_live_per_agent: limit } = await publishedSessions(context);
    if (typeof limit === "number" && (await liveSessions(context, as)).length >= limit)
      throw new TargetSkip(`the agent has already ${limit} live sessions, the hub's limit`);
    reply = await context.send(request);
  }
  const shown = sessionIn(reply);
  if (reply.status !== 201 || typeof shown.id !== "string")
    throw new TargetFailure(
      "errored",
      "submit",
      `a session that the scenario needs cannot be registered: ${inShort(reply)}`,
    );
  const { id } = shown;
  context.closing(async () => void (await close(context, id, as)));
  return { id, shown, reply };
}

/** The sessions of an agent that are listed as active. */
export async function liveSessions(context: ScenarioContext, as: AgentName): Promise<JsonObject[]> {
  const { json } = await context.send({ method: "GET", path: "/v1/sessions", as });
  const listed = isObject(json) && Array.isArray(json.sessions) ? json.sessions : [];
  return listed.filter(isObject).filter(({ state }) => state === "active");
}

export function close(context: ScenarioContext, id: string, as: AgentName = "a"): Promise<HttpReply> {
  return context.send({ method: "DELETE", path: sessionPath(id), as });
}

export function sessionPath(id: string): string {
  return `/v1/sessions/${encodeURIComponent(id)}`;
}

export async function sessionOf(context: ScenarioContext, id: string, as: AgentName = "a"): Promise<JsonObject> {
  return sessionIn(await context.send({ method: "GET", path: sessionPath(id), as }));
}

/** The address of an agent, or of one of its sessions. */
export function addressOf(context: ScenarioContext, as: AgentName, session?: string): string {
  const agent = as === "a" ? context.agents.a : (context.agents.b ?? "");
  return session === undefined ? `agent:${agent}` : `agent:${agent}#${session}`;
}

/** A message from a session. */
export function fromSession(message: JsonObject, session: string | undefined): JsonObject {
  if (session === undefined || !isObject(message.agent)) return message;
  return { ...message, agent: { ...message.agent, session } };
}

const messageMakers: Readonly<Record<"notify" | "ask" | "task", typeof notify>> = { notify, ask, task };

/** A message to an agent, without a list of resolvers. */
export function messageTo(
  context: ScenarioContext,
  type: "notify" | "ask" | "task",
  to: string,
  more: JsonObject = {},
): JsonObject {
  const message = messageMakers[type](context, { to, ...more });
  const blockName = type === "task" ? "action" : "request";
  if (!isObject(message[blockName])) return message;
  const { allowed_resolvers: _, ...block } = message[blockName];
  return { ...message, [blockName]: block };
}

export function requestDrain(
  context: ScenarioContext,
  as: AgentName,
  session?: string,
  query: Readonly<Record<string, string>> = {},
): Promise<HttpReply> {
  const queryText = new URLSearchParams({ ...(session === undefined ? {} : { session }), ...query }).toString();
  const waitMs = Number(query.wait ?? 0) * 1000;
  return context.send({ method: "GET", path: `/v1/inbox${queryText === "" ? "" : `?${queryText}`}`, as, waitMs });
}

/** An entry drained from a mailbox. */
export interface DrainedEntry {
  kind: string;
  key: string;
  payload: JsonObject;
  signature: string;
}

/** The member that identifies an entry, by kind of entry. */
const keyMembers: Readonly<Record<string, string>> = {
  directive: "id",
  message: "id",
  response: "resolution_id",
  receipt: "id",
};

/** The maximum number of batches that a drain requests. */
const maxBatches = 50;

/** Drains a mailbox, batch by batch. Throws a TargetFailure if the hub does not answer with entries. */
export async function drain(context: ScenarioContext, as: AgentName, session?: string): Promise<DrainedEntry[]> {
  const { inbound } = await cachedCapability(context);
  const maxBatch = isObject(inbound) ? inbound.max_batch : undefined;
  const entries: DrainedEntry[] = [];
  for (let batches = 0; batches < maxBatches; batches++) {
    const batch = await drainOnce(context, as, session);
    entries.push(...batch);
    if (batch.length === 0 || typeof maxBatch !== "number" || batch.length < maxBatch) break;
  }
  return entries;
}

/** Requests one batch of entries. Throws a TargetFailure if the hub does not answer with entries. */
export async function drainOnce(
  context: ScenarioContext,
  as: AgentName,
  session?: string,
  query: Readonly<Record<string, string>> = {},
): Promise<DrainedEntry[]> {
  const reply = await requestDrain(context, as, session, query);
  const messages = reply.status === 200 && isObject(reply.json) ? reply.json.messages : undefined;
  if (!Array.isArray(messages))
    throw new TargetFailure("errored", "read", `a mailbox cannot be drained: ${inShort(reply)}`);
  return messages.flatMap((entry) => (isObject(entry) ? entryIn(entry) : []));
}

/** The entry in a mailbox element; an empty list if the element has no known kind. */
export function entryIn(entry: JsonObject): DrainedEntry[] {
  return Object.entries(keyMembers).flatMap(([kind, keyMember]) => {
    const payload = entry[kind];
    if (!isObject(payload)) return [];
    return [{ kind, key: String(payload[keyMember]), payload, signature: String(entry.signature ?? "") }];
  });
}

export function acknowledgeEntries(
  context: ScenarioContext,
  as: AgentName,
  ids: readonly string[],
  session?: string,
): Promise<HttpReply> {
  const query = session === undefined ? "" : `?session=${encodeURIComponent(session)}`;
  return context.send({ method: "POST", path: `/v1/inbox/ack${query}`, body: { ids: [...ids] }, as });
}

/** Submits a message to b, or to one of its sessions, and returns its id. */
export async function sendTo(
  context: ScenarioContext,
  type: "notify" | "ask" | "task",
  { session, from, more }: { session?: string; from?: string; more?: JsonObject } = {},
): Promise<string> {
  const { id } = await submit(
    context,
    fromSession(messageTo(context, type, addressOf(context, "b", session), more), from),
  );
  return id;
}

/** Whether an ended message shows that it was undeliverable. */
export function isUndeliverable(stored: JsonObject): boolean {
  const { inner } = outcomeOf(stored);
  // The outcome of a task may lack its details.
  const isBare = stored.type === "task" && Object.keys(inner).length === 0;
  return isBare || (inner.actor === "system:undeliverable" && inner.value === undefined);
}

/** Reads the mailbox track of a message as its submitter. */
export async function trackOf(context: ScenarioContext, id: string): Promise<JsonObject> {
  const { mailbox } = await readStored(context, id);
  return isObject(mailbox) ? mailbox : {};
}

export function resolveAs(
  context: ScenarioContext,
  id: string,
  {
    as = "b",
    session,
    body = { resolution: "answered", value: "red" },
  }: { as?: AgentName; session?: string; body?: JsonObject } = {},
): Promise<HttpReply> {
  const query = session === undefined ? "" : `?session=${encodeURIComponent(session)}`;
  return context.send({ method: "POST", path: `${pathOf(id)}/resolve${query}`, body, as });
}

/**
 * Repeats `read` until its result is as expected, and returns the last result.
 * Gives up after the time of A-69, first by the hub's clock if it can be moved, and then in real time.
 */
export async function waitUntil<Value>(
  context: ScenarioContext,
  read: () => Promise<Value>,
  isExpected: (value: Value) => boolean,
): Promise<Value> {
  const seconds = boundOf(context, "expiry") / 1000;
  const steps = context.has("clock") ? 2 * seconds : seconds;
  for (let step = 0; ; step++) {
    const value = await read();
    if (isExpected(value) || step > steps) return value;
    if (context.has("clock") && step < seconds) await context.pass(1000);
    else await waitInRealTime(context, 1000);
  }
}

/** Waits until the mail of a message has bounced, or should have bounced, and returns its mailbox track. */
export function bouncedTrack(context: ScenarioContext, id: string): Promise<JsonObject> {
  return waitUntil(
    context,
    () => trackOf(context, id),
    ({ state }) => state === "bounced",
  );
}

/** The reason to skip a rule about entries that are hidden for a while. */
export const noClock = "no hook moves the clock past the time of hiding";

/** Waits until claimed entries can be claimed again. */
export async function passWindow(context: ScenarioContext): Promise<void> {
  const { inbound } = await cachedCapability(context);
  const seconds = isObject(inbound) ? inbound.visibility_timeout_seconds : undefined;
  await context.pass((typeof seconds === "number" ? seconds : 60) * 1000 + 2000);
}

/** The entries that contain a message or are about it. */
export function entriesAbout(entries: readonly DrainedEntry[], id: string): DrainedEntry[] {
  return entries.filter(({ payload }) => payload.id === id || payload.in_reply_to === id);
}

/** Whether two values are the same JSON, whatever the order of members. */
export function isSameJson(first: Json | undefined, second: Json | undefined): boolean {
  return canonical(first ?? null) === canonical(second ?? null);
}
