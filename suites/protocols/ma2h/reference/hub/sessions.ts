import { randomBytes } from "node:crypto";
import {
  documentNamed,
  isObject,
  type Json,
  type JsonObject,
  jsonObjectOf,
  type ServiceContext,
} from "../../../../../schemas/index.ts";
import { fault, type HubReply } from "../../../ahcp/reference/hub/reply.ts";
import { timestamp } from "../../../ahcp/reference/hub/time.ts";
import { type HubSession, wasAlive } from "./mail.ts";
import { type PostOffice, settle } from "./post.ts";
import { publishedLimits, type SessionAct } from "./post-decisions.ts";

const noSuchSession = fault("not_found", "there is no such session");

/** The members of a registration that describe the agent's run. */
const descriptiveMembers = ["run_id", "label", "kind", "project", "labels"];

export async function registerSession(
  office: PostOffice,
  principal: string,
  request: Request,
  { protocol, judge }: Pick<ServiceContext, "protocol" | "judge">,
): Promise<HubReply> {
  const { hub, post, decisions } = office;
  const bodyText = await request.text();
  const body = bodyText === "" ? {} : jsonObjectOf(bodyText);
  const { breaches } = judge(documentNamed(protocol, "registration"), body ?? null);
  if (body === undefined || (decisions.validatesRegistration && breaches.length > 0))
    return fault("validation_error", "the body is not a registration");
  settle(office);
  if (principal.includes("#") && !decisions.acceptsHashAgents)
    return fault("invalid_field", "an agent with a # in its id has no sessions");
  if (decisions.enforcesStops && post.stopped.has(principal))
    return { status: 403, body: { error: { code: "session_closed_by_operator", message: "the agent is stopped" } } };
  const liveSessions = [...post.sessions.values()].filter(
    ({ agent, state }) => agent === principal && state === "active",
  );
  if (liveSessions.length >= decisions.maxLiveSessions)
    return fault("rate_limited", "close a session first", {}, { "retry-after": "60" });
  if (decisions.registrationDelayMs > 0) await new Promise((done) => setTimeout(done, decisions.registrationDelayMs));
  const now = hub.clock.now();
  const requested = typeof body.ttl_seconds === "number" ? body.ttl_seconds : publishedLimits.ttl.usual;
  const { min, max } = publishedLimits.ttl;
  const ttl = decisions.leaseSeconds(Math.min(Math.max(requested, min), max), requested);
  const session: HubSession = decisions.createSession(
    {
      id: `sess_${randomBytes(16).toString("base64url")}`,
      agent: principal,
      given: Object.fromEntries(
        descriptiveMembers.flatMap((name) => (Object.hasOwn(body, name) ? [[name, body[name] as Json]] : [])),
      ),
      ttl,
      createdAt: now,
      lastSeen: now,
      expiresAt: now + ttl * 1000,
      state: "active",
    },
    body,
  );
  post.sessions.set(session.id, session);
  // Settle when the lease expires, so that outcomes and receipts are sent even without a request.
  hub.clock.at(session.expiresAt + 1, () => settle(office));
  return { status: 201, body: { session: showSession(office, session) } };
}

function showSession({ decisions }: PostOffice, session: HubSession): JsonObject {
  const { id, agent, state, ttl, createdAt, lastSeen, expiresAt, endedAt, given } = session;
  return decisions.presentSession(
    {
      ...given,
      id,
      agent_id: agent,
      state,
      created_at: timestamp(createdAt),
      expires_at: timestamp(expiresAt),
      last_seen: timestamp(lastSeen),
      ttl_seconds: ttl,
      ...(state === "closed" && endedAt !== undefined ? { closed_at: timestamp(endedAt) } : {}),
      ...(decisions.marksStopped(session.isStopped === true, session) ? { closed_by_operator: true } : {}),
    },
    session,
  );
}

/** The agent whose sessions are visible; undefined for the person, who sees the whole account. */
type Viewer = string | undefined;

function isOwner(viewer: Viewer, { agent }: HubSession): boolean {
  return viewer === undefined || agent === viewer;
}

export function listSessions(office: PostOffice, viewer: Viewer): HubReply {
  const { post, decisions } = office;
  settle(office);
  const visibleSessions = [...post.sessions.values()].filter((session) =>
    decisions.mayViewSession(isOwner(viewer, session), session),
  );
  const scope = viewer === undefined ? "account" : "own";
  return { status: 200, body: { sessions: visibleSessions.map((session) => showSession(office, session)), scope } };
}

export function readSession(office: PostOffice, viewer: Viewer, id: string): HubReply {
  settle(office);
  const session = office.post.sessions.get(id);
  if (session === undefined || !office.decisions.mayViewSession(isOwner(viewer, session), session))
    return noSuchSession;
  if (viewer !== undefined) renew(office, session, "read");
  return { status: 200, body: { session: showSession(office, session) } };
}

export function closeSession(office: PostOffice, viewer: Viewer, id: string): HubReply {
  settle(office);
  const session = office.post.sessions.get(id);
  if (session === undefined || !office.decisions.mayUseSession(isOwner(viewer, session))) return noSuchSession;
  if (viewer === undefined) stopSession(office, session);
  else if (office.decisions.liftsStopAtClose) office.post.stopped.delete(viewer);
  office.decisions.endSession(session, "closed", office.hub.clock.now());
  settle(office);
  if (!office.decisions.returnsClosedSession) return { status: 204 };
  return { status: 200, body: { session: showSession(office, session) } };
}

/** Marks a session as closed by the person of the account, and stops its agent from registering. */
function stopSession({ post, decisions }: PostOffice, session: HubSession): void {
  if (session.state !== "active" && !decisions.closesEndedSessions) return;
  session.isStopped = true;
  post.stopped.add(session.agent);
}

/** The caller's session that a request names, or the refusal. Undefined if the request does not name a session. */
export function findPresented(
  office: PostOffice,
  principal: string,
  id: string | null,
  act: SessionAct,
): HubSession | HubReply | undefined {
  settle(office);
  const { post, decisions } = office;
  if (id === null) {
    const ownSessions = [...post.sessions.values()].filter(({ agent }) => agent === principal);
    if (act === "drain") for (const hubSession of ownSessions) renew(office, hubSession, "drain without session");
    return undefined;
  }
  const session = post.sessions.get(id);
  if (session === undefined || !decisions.mayUseSession(session.agent === principal)) return noSuchSession;
  if (session.state !== "active" && decisions.revivesSessions)
    Object.assign(session, { state: "active", endedAt: undefined });
  if (session.state !== "active") return decisions.goneStatus === 404 ? noSuchSession : refuseEnded(office, session);
  renew(office, session, act);
  return session;
}

function refuseEnded({ decisions }: PostOffice, { isStopped }: HubSession): HubReply {
  const code = isStopped === true ? decisions.stoppedCode : "gone";
  return { status: 410, body: { error: { code, message: "the session has ended" } } };
}

/** Renews the lease of a session, if such a request does that. */
export function renew({ hub, decisions }: PostOffice, session: HubSession, act: SessionAct): void {
  if (session.state !== "active" || !decisions.renewsLease(act)) return;
  const now = hub.clock.now();
  Object.assign(session, { lastSeen: now, expiresAt: now + session.ttl * 1000 });
}

/** Whether an agent can be reached, according to its sessions. */
export function reachOf(
  { hub, post, decisions }: PostOffice,
  agent: string,
): { state: "online" | "offline" | "unknown"; last_seen?: string } {
  const ownSessions = [...post.sessions.values()].filter((session) => session.agent === agent);
  const now = hub.clock.now();
  const bySession = Math.max(0, ...ownSessions.map((session) => session.lastSeen));
  const lastSeen = decisions.lastReachedAt(bySession, post.seen.get(agent));
  if (lastSeen === 0) return { state: "unknown" };
  const isLive =
    lastSeen !== bySession || ownSessions.some((session) => session.state === "active" && wasAlive(session, now));
  const isFresh = now - lastSeen <= publishedLimits.freshness * 1000;
  return { state: isLive && isFresh ? "online" : "offline", last_seen: timestamp(lastSeen) };
}

export function isSession(candidate: HubSession | HubReply | undefined): candidate is HubSession {
  return candidate !== undefined && isObject(candidate as never) && "createdAt" in candidate;
}
