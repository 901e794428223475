import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { HubPolicy } from "../../../ahcp/reference/hub/hub.ts";
import { blockOf } from "../../../ahcp/reference/hub/lifecycle.ts";
import { fault, type HubReply } from "../../../ahcp/reference/hub/reply.ts";
import type { StoredMessage } from "../../../ahcp/reference/hub/store.ts";
import { timestamp } from "../../../ahcp/reference/hub/time.ts";
import { mailOf } from "./mail.ts";
import { addresseeOf, type PostOffice, sendingSession, settle } from "./post.ts";
import { type MailDestination, unknownDestination } from "./post-decisions.ts";
import { reachOf, renew } from "./sessions.ts";

const mailNotOffered = refusal(403, "not_authorized", "agents cannot write to each other here");
const destinationGone = refusal(410, "destination_gone", "the session has ended");

function refusal(status: number, code: string, message: string): HubReply {
  return { status, body: { error: { code, message } } };
}

/** The refusal of a message because of its sending session, its destination or a limit. Undefined if it is accepted. */
export function objectionTo(office: PostOffice, message: JsonObject): HubReply | undefined {
  const { post, decisions } = office;
  const addressee = addresseeOf(message);
  const senderSessionId = sendingSession(message);
  if (addressee === undefined && senderSessionId === undefined) return undefined;
  settle(office);
  const sender = isObject(message.agent) ? String(message.agent.id) : "";
  const own = post.sessions.get(senderSessionId ?? "");
  const session = post.sessions.get(addressee?.session ?? "");
  const liveAgents = [...post.sessions.values()].filter(({ state }) => state === "active").map(({ agent }) => agent);
  const about: MailDestination = { sender, addressee, own, session, liveAgents };
  const offerRefusal = addressee === undefined || decisions.offersMail ? undefined : mailNotOffered;
  const allowedSenders = post.allowedSenders.get(addressee?.agent ?? "");
  const blockedRefusal = decisions.refuseUnlisted(allowedSenders === undefined || allowedSenders.includes(sender));
  const overLimit = addressee === undefined ? undefined : limitRefusal(office, sender, addressee.agent);
  const firstRefusal =
    offerRefusal ??
    sessionRefusal(senderSessionId, about) ??
    destinationRefusal(about, office) ??
    blockedRefusal ??
    overLimit;
  if (firstRefusal !== undefined && own?.agent === sender && decisions.renewsForRefused) renew(office, own, "submit");
  return decisions.refuseDestination(firstRefusal, about);
}

/** The refusal of mail beyond the rate or the depth of the mailbox. Counts the mail if it is within the rate. */
function limitRefusal({ hub, post, decisions }: PostOffice, sender: string, agent: string): HubReply | undefined {
  const { addressedPerMinute = Number.POSITIVE_INFINITY, inboxDepth } = hub.limits;
  const now = hub.clock.now();
  // The hub counted this submit toward the general limit before it read the body.
  if (Number.isFinite(addressedPerMinute) && !decisions.countsMailTwice) hub.submits.get(sender)?.pop();
  const recentTimes = (post.submitTimes.get(sender) ?? []).filter((time) => time > now - 60_000);
  post.submitTimes.set(sender, recentTimes);
  if (recentTimes.length >= addressedPerMinute)
    return decisions.refuseFastMail(fault("rate_limited", "too much mail in a minute", {}, { "retry-after": "60" }));
  recentTimes.push(now);
  return decisions.refuseFullMailbox(depthOf({ hub, post }, agent), inboxDepth);
}

/** The number of unacknowledged messages in the mailbox of an agent. */
function depthOf({ hub, post }: Pick<PostOffice, "hub" | "post">, agent: string): number {
  return [...hub.store.entries.values()].filter(({ id, message }) => {
    if (addresseeOf(message)?.agent !== agent) return false;
    const { state } = mailOf(post, id);
    return state === "queued" || state === "delivered";
  }).length;
}

function sessionRefusal(sessionId: string | undefined, { sender, own }: MailDestination): HubReply | undefined {
  if (sessionId === undefined) return undefined;
  if (own === undefined || own.agent !== sender)
    return fault("invalid_field", "/agent/session is not a session of this agent");
  if (own.state === "active") return undefined;
  return own.isStopped === true
    ? refusal(410, "session_closed_by_operator", "the session was closed by the operator")
    : destinationGone;
}

/** The name of the credential for an agent of another account. */
export const foreignName = "foreign";

/** The refusal of mail because of its destination. */
export function destinationRefusal(
  { sender, addressee, session }: MailDestination,
  { hub: { settings }, decisions }: PostOffice,
): HubReply | undefined {
  if (addressee === undefined) return undefined;
  const credentials = Object.entries(settings.credentials ?? {});
  const agents = credentials
    .filter(([name]) => decisions.isReachable(name !== foreignName))
    .map(([, { agent }]) => agent);
  // Without credentials, any agent may exist, because callers are not authenticated.
  if (agents.length > 0 && !agents.includes(addressee.agent)) return unknownDestination;
  if (addressee.session === undefined) return undefined;
  if (session === undefined || session.agent !== addressee.agent) return unknownDestination;
  if (session.state === "active") return undefined;
  return session.agent === sender ? destinationGone : unknownDestination;
}

/** Adds the status and the destination, as far as the sender may see them, to the acknowledgment of a message. */
export function addDestination(office: PostOffice, reply: HubReply, entry: StoredMessage, isNew: boolean): HubReply {
  const { post, decisions } = office;
  const { message, agent } = entry;
  const session = post.sessions.get(sendingSession(message) ?? "");
  if (isNew && session !== undefined) renew(office, session, "submit");
  const addressee = addresseeOf(message);
  if (addressee !== undefined && decisions.countsAsSeen("mail")) post.seen.set(addressee.agent, office.hub.clock.now());
  const isLost = decisions.losesExcessMail && addressee !== undefined;
  if (isNew && isLost && depthOf(office, addressee.agent) > office.hub.limits.inboxDepth)
    mailOf(post, entry.id).state = "expired";
  if (!isObject(reply.body)) return reply;
  if (addressee === undefined) return { ...reply, body: decisions.acceptedBody(reply.body, message) };
  settle(office);
  const { state, last_seen } = reachOf(office, addressee.agent);
  const shownState = decisions.visibleReach(state, addressee.agent === agent);
  const destination =
    shownState === "unknown" || last_seen === undefined ? { state: "unknown" } : { state: shownState, last_seen };
  const status = message.type === "notify" ? mailOf(post, entry.id).state : entry.status;
  return { ...reply, body: decisions.acceptedBody({ ...reply.body, status, destination }, message) };
}

/** Adds the mailbox track to the body of a read. */
export function withMailbox(office: PostOffice, body: JsonObject, entry: StoredMessage): JsonObject {
  if (addresseeOf(entry.message) === undefined) return body;
  const mail = mailOf(office.post, entry.id);
  const { state, prior, deliveredAt, acknowledgedAt } = mail;
  const track: JsonObject = {
    state,
    ...(deliveredAt === undefined ? {} : { delivered_at: timestamp(deliveredAt) }),
    ...(acknowledgedAt === undefined ? {} : { acknowledged_at: timestamp(acknowledgedAt) }),
    ...(prior === undefined ? {} : { prior }),
  };
  const mailbox = office.decisions.presentTrack(track, mail);
  const status = entry.message.type === "notify" ? { status: state } : {};
  return { ...body, ...status, to: entry.message.to ?? null, ...(mailbox === undefined ? {} : { mailbox }) };
}

/** The message without its run and session, which may differ in a repetition. */
export function anyInvocation(message: JsonObject): JsonObject {
  const { session: _session, run_id: _run, ...agent } = isObject(message.agent) ? message.agent : {};
  return { ...message, agent };
}

/** Allows the listed resolvers; without a list, only the addressee, or the submitter if there is none. A session acts for its agent. */
export const mayResolve: HubPolicy["mayResolve"] = (actor, { message, agent }) => {
  if (actor.startsWith("system:")) return false;
  const [principal] = actor.split("#");
  const { allowed_resolvers: allowed } = blockOf(message);
  if (Array.isArray(allowed)) return allowed.includes(actor) || allowed.includes(principal ?? "");
  return principal === `agent:${addresseeOf(message)?.agent ?? agent}`;
};
