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

const noMail = refusal(403, "not_authorized", "agents cannot write to each other here");
const destinationGone = refusal(410, "destination_gone", "the session has ended");

function refusal(status: number, code: string, message: string): HubReply {
  return { status, body: { error: { code, message } } };
}

/** Why a message cannot be sent from its session, or to its destination. */
export function objectionTo(office: PostOffice, message: JsonObject): HubReply | undefined {
  const { post, decides } = office;
  const addressee = addresseeOf(message);
  const named = sendingSession(message);
  if (addressee === undefined && named === undefined) return undefined;
  settle(office);
  const sender = isObject(message.agent) ? String(message.agent.id) : "";
  const own = post.sessions.get(named ?? "");
  const session = post.sessions.get(addressee?.session ?? "");
  const liveAgents = [...post.sessions.values()].filter(({ state }) => state === "active").map(({ agent }) => agent);
  const about: MailDestination = { sender, addressee, own, session, liveAgents };
  const closed = addressee === undefined || decides.offersMail ? undefined : noMail;
  const listed = post.allowed.get(addressee?.agent ?? "");
  const blocked = decides.blocks(listed === undefined || listed.includes(sender));
  const limit = addressee === undefined ? undefined : limitOf(office, sender, addressee.agent);
  const there = closed ?? ownRefusal(named, about) ?? destinationRefusal(about, office) ?? blocked ?? limit;
  if (there !== undefined && own?.agent === sender && decides.renewsRefused) renew(office, own, "submit");
  return decides.refuses(there, about);
}

/** The refusal of mail beyond the limits; counts it otherwise. */
function limitOf({ hub, post, decides }: PostOffice, sender: string, agent: string): HubReply | undefined {
  const { addressedPerMinute: most = Number.POSITIVE_INFINITY, inboxDepth } = hub.limits;
  const now = hub.clock.now();
  // All submits were counted before they were read.
  if (Number.isFinite(most) && !decides.countsMailTwice) hub.submits.get(sender)?.pop();
  const recent = (post.paces.get(sender) ?? []).filter((time) => time > now - 60_000);
  post.paces.set(sender, recent);
  if (recent.length >= most)
    return decides.paces(fault("rate_limited", "too much mail in a minute", {}, { "retry-after": "60" }));
  recent.push(now);
  return decides.fills(depthOf({ hub, post }, agent), inboxDepth);
}

/** How many messages wait in the mailbox of an agent. */
function depthOf({ hub, post }: Pick<PostOffice, "hub" | "post">, agent: string): number {
  return [...hub.store.entries.values()].filter(({ id, message }) => {
    if (addresseeOf(message)?.agent !== agent) return false;
    const { state } = mailOf(post, id);
    return state === "queued" || state === "delivered";
  }).length;
}

function ownRefusal(named: string | undefined, { sender, own }: MailDestination): HubReply | undefined {
  if (named === undefined) return undefined;
  if (own === undefined || own.agent !== sender)
    return fault("invalid_field", "/agent/session is no session of this agent");
  if (own.state === "active") return undefined;
  return own.isStopped === true
    ? refusal(410, "session_closed_by_operator", "the session was closed by the operator")
    : destinationGone;
}

/** The name of the credential of an agent of another account. */
export const foreignName = "foreign";

/** Why mail cannot be sent to its destination. */
export function destinationRefusal(
  { sender, addressee, session }: MailDestination,
  { hub: { settings }, decides }: PostOffice,
): HubReply | undefined {
  if (addressee === undefined) return undefined;
  const all = Object.entries(settings.credentials ?? {});
  const agents = all.filter(([name]) => decides.knows(name !== foreignName)).map(([, { agent }]) => agent);
  // Without credentials each caller is the agent that it names.
  if (agents.length > 0 && !agents.includes(addressee.agent)) return unknownDestination;
  if (addressee.session === undefined) return undefined;
  if (session === undefined || session.agent !== addressee.agent) return unknownDestination;
  if (session.state === "active") return undefined;
  return session.agent === sender ? destinationGone : unknownDestination;
}

/** The acknowledgement of a message, in the state that its sender is to know. */
export function addDestination(office: PostOffice, reply: HubReply, entry: StoredMessage, isNew: boolean): HubReply {
  const { post, decides } = office;
  const { message, agent } = entry;
  const session = post.sessions.get(sendingSession(message) ?? "");
  if (isNew && session !== undefined) renew(office, session, "submit");
  const addressee = addresseeOf(message);
  if (addressee !== undefined && decides.sees("mail")) post.seen.set(addressee.agent, office.hub.clock.now());
  const isLost = decides.losesMail && addressee !== undefined;
  if (isNew && isLost && depthOf(office, addressee.agent) > office.hub.limits.inboxDepth)
    mailOf(post, entry.id).state = "expired";
  if (!isObject(reply.body)) return reply;
  if (addressee === undefined) return { ...reply, body: decides.accepts(reply.body, message) };
  settle(office);
  const { state, last_seen } = reachOf(office, addressee.agent);
  const told = decides.reaches(state, addressee.agent === agent);
  const destination = told === "unknown" || last_seen === undefined ? { state: "unknown" } : { state: told, last_seen };
  const status = message.type === "notify" ? mailOf(post, entry.id).state : entry.status;
  return { ...reply, body: decides.accepts({ ...reply.body, status, destination }, message) };
}

/** A read of a message with the track of its mailbox. */
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
  const mailbox = office.decides.tracks(track, mail);
  const status = entry.message.type === "notify" ? { status: state } : {};
  return { ...body, ...status, to: entry.message.to ?? null, ...(mailbox === undefined ? {} : { mailbox }) };
}

/** The message without the run and the session that it comes from, which may be others when it is repeated. */
export function anyInvocation(message: JsonObject): JsonObject {
  const { session: _session, run_id: _run, ...agent } = isObject(message.agent) ? message.agent : {};
  return { ...message, agent };
}

/** Who resolves: those that the message lists, or its addressee, or else its submitter. A session may always speak as its agent. */
export const mayResolve: HubPolicy["mayResolve"] = (actor, { message, agent }) => {
  if (actor.startsWith("system:")) return false;
  const [principal] = actor.split("#");
  const { allowed_resolvers: allowed } = blockOf(message);
  if (Array.isArray(allowed)) return allowed.includes(actor) || allowed.includes(principal ?? "");
  return principal === `agent:${addresseeOf(message)?.agent ?? agent}`;
};
