import { randomBytes } from "node:crypto";
import type { Credential, Json, JsonObject } from "../../../../../schemas/index.ts";
import { isSameSecret } from "../../../ahcp/reference/hub/access.ts";
import type { Operations } from "../../../ahcp/reference/hub/hub.ts";
import { operations } from "../../../ahcp/reference/hub/operator.ts";
import { fault, type HubReply } from "../../../ahcp/reference/hub/reply.ts";
import type { StoredMessage } from "../../../ahcp/reference/hub/store.ts";
import { instant, timestamp } from "../../../ahcp/reference/hub/time.ts";
import { versionMember } from "../../../ahcp/rules/signature.ts";
import { destinationRefusal, foreignName } from "./addressing.ts";
import { isOver } from "./decisions.ts";
import { mailOf } from "./mail.ts";
import { addresseeOf, type PostOffice, settle } from "./post.ts";
import { publishedLimits } from "./post-decisions.ts";
import { closeSession } from "./sessions.ts";
import { pushEntries, registerWebhook, resumeWebhooks } from "./webhook.ts";

/** The credential and the name of the person of the account. */
const person = { authorization: "Bearer reference-person", name: "human:operator" };

export function isPerson(headers: Headers): boolean {
  return isSameSecret(headers.get("authorization") ?? "", person.authorization);
}

/** The hooks that act for the person of the account. */
export function operationsOf(office: () => PostOffice): Operations {
  return {
    "close-session"(_hub, { session }) {
      const { status } = closeSession(office(), undefined, String(session));
      return { closed: status === 200 };
    },
    "resume-agent"(_hub, { agent }) {
      office().post.stopped.delete(String(agent));
      return { resumed: true };
    },
    direct: (_hub, input) => sendDirective(office(), input),
    "directive-webhook": (_hub, input) => registerWebhook(office(), input),
    async restart(hub, input) {
      const answer = await operations.restart?.(hub, input);
      resumeWebhooks(office());
      return answer ?? {};
    },
    track: (_hub, { id }) => trackOf(office(), String(id)),
    "another-agent": (hub, { kind }) => showOtherAgent(hub.settings.credentials?.[String(kind)]),
    "allow-senders"(_hub, { agent, senders }) {
      if (Array.isArray(senders)) office().post.allowedSenders.set(String(agent), senders.map(String));
      else office().post.allowedSenders.delete(String(agent));
      return {};
    },
    // All entries are signed with the same key as pushes.
    "entry-key": (hub) => operations.key?.(hub, {}) ?? {},
    person: () => ({ headers: { authorization: person.authorization } }),
  };
}

function showOtherAgent(credential: Credential | undefined): JsonObject {
  if (credential?.token === undefined) return {};
  return { agent: credential.agent, headers: { authorization: `Bearer ${credential.token}` } };
}

/** The members of a directive that its author chooses. */
const authoredMembers = ["to", "title", "body", "priority", "tags", "context", "expires_at", "sensitive"];

/** Puts a directive into the mailbox of its agent, or returns the refusal. */
function sendDirective(office: PostOffice, input: JsonObject): JsonObject {
  const { hub, post, decisions } = office;
  settle(office);
  const now = hub.clock.now();
  const addressee = addresseeOf(input);
  const session = post.sessions.get(addressee?.session ?? "");
  const destination = { sender: addressee?.agent ?? "", addressee, own: undefined, session, liveAgents: [] };
  const isPast = typeof input.expires_at === "string" && (instant(input.expires_at) ?? 0) <= now;
  const pastDeadline = isPast ? fault("invalid_field", "/expires_at is past") : undefined;
  const refusal = decisions.refuseDirective(destinationRefusal(destination, office) ?? pastDeadline);
  if (refusal !== undefined || addressee === undefined) return { refused: refusalSummary(refusal) };
  const payload: JsonObject = {
    ma2h_version: hub.protocol.version,
    type: "directive",
    id: `dir_${randomBytes(16).toString("base64url")}`,
    from: decisions.directiveAuthor(person.name, typeof input.from === "string" ? input.from : undefined),
    created_at: timestamp(now),
    ...Object.fromEntries(
      authoredMembers.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name] as Json]])),
    ),
  };
  post.directives.push({ ...addressee, at: now, payload });
  pushEntries(office, addressee.agent);
  return { id: payload.id ?? "" };
}

function refusalSummary(refusal: HubReply | undefined): JsonObject {
  const { error } = (refusal?.body ?? {}) as JsonObject;
  return { status: refusal?.status ?? 422, code: ((error ?? {}) as JsonObject).code ?? "invalid_field" };
}

/** The state of a directive or an outcome as the person sees it, with the note of its acknowledgment. */
function trackOf(office: PostOffice, id: string): JsonObject {
  const { post } = office;
  settle(office);
  const message = office.hub.store.entries.get(id);
  if (message !== undefined) return outcomeTrack(office, message);
  const directive = post.directives.find(({ payload }) => payload.id === id);
  const { state } = mailOf(post, id);
  return { state, ...(directive?.note === undefined ? {} : { note: directive.note }) };
}

const dayMs = 86_400_000;

/** The state of an outcome: whether it waits for its agent, has reached it, or has expired. */
function outcomeTrack(
  { hub, post, decisions }: PostOffice,
  { id, message, changedAt, status }: StoredMessage,
): JsonObject {
  const { deliveredAt, ack } = post.tracks.get(id) ?? {};
  if (ack !== undefined) return { state: "acknowledged" };
  if (deliveredAt !== undefined) return { state: "delivered-to-agent" };
  const minor = Number(/\d+$/.exec(String(message[versionMember]))?.[0]);
  const isPastRetention = hub.clock.now() - changedAt > hub.limits.retentionDays * dayMs;
  return isOver(status) && isPastRetention && decisions.expiresOutcome(minor)
    ? { state: "expired" }
    : { state: "waiting" };
}

/** Answers a read of the presence of an agent. */
export function readPresence(office: PostOffice, agent: string, reader: { isPerson: boolean }): HubReply {
  const { hub, post, decisions } = office;
  settle(office);
  const agents = Object.entries(hub.settings.credentials ?? {})
    .filter(([name]) => name !== foreignName || !decisions.hidesForeignAgents)
    .map(([, credential]) => credential.agent);
  if (!decisions.mayReadPresence(reader.isPerson) || !agents.includes(agent))
    return fault("not_found", "there is no such agent");
  const lastSeen = post.seen.get(agent);
  const presence = { agent_id: agent, freshness_seconds: publishedLimits.freshness };
  if (lastSeen === undefined) return { status: 200, body: { ...presence, state: "unknown" } };
  const isFresh = hub.clock.now() - lastSeen <= decisions.freshness;
  return { status: 200, body: { ...presence, state: isFresh ? "online" : "offline", last_seen: timestamp(lastSeen) } };
}
