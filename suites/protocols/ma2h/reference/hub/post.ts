import { randomBytes } from "node:crypto";
import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { MessageSpelling } from "../../../../packs/pack/renamed-scenarios.ts";
import type { RunningHub } from "../../../ahcp/reference/hub/hub.ts";
import { end, expire } from "../../../ahcp/reference/hub/lifecycle.ts";
import type { Store, StoredMessage } from "../../../ahcp/reference/hub/store.ts";
import { instant, timestamp } from "../../../ahcp/reference/hub/time.ts";
import { type Directive, type Mail, mailOf, type Post, wasAlive } from "./mail.ts";
import type { PostDecisions } from "./post-decisions.ts";

/** A running hub with its sessions and mailboxes, and its decisions about them. */
export interface PostOffice {
  hub: RunningHub;
  post: Post;
  decisions: PostDecisions;
  /** Converts messages to the names of this protocol. */
  spelling: MessageSpelling;
}

/** The agent and the session in `to`, separated by the first `#`. */
export function addresseeOf({ to }: JsonObject): { agent: string; session?: string } | undefined {
  if (typeof to !== "string") return undefined;
  const [, agent, session] = /^agent:([^#]+)(?:#(.+))?$/s.exec(to) ?? [];
  if (agent === undefined) return undefined;
  return session === undefined ? { agent } : { agent, session };
}

/** The session that a message was submitted from. */
export function sendingSession({ agent }: JsonObject): string | undefined {
  return isObject(agent) && typeof agent.session === "string" ? agent.session : undefined;
}

/** Applies everything that is due by now: expires leases, and expires and bounces mail. */
export function settle(office: PostOffice): void {
  const { hub, post, decisions } = office;
  const now = hub.clock.now();
  if (post.store !== undefined && post.store !== hub.store) {
    decisions.changeAtRestart(post);
    if (decisions.countsAsSeen("restart")) for (const agent of post.seen.keys()) post.seen.set(agent, now);
  }
  post.store = hub.store;
  for (const session of post.sessions.values())
    if (session.state === "active" && decisions.leaseEndOf(session) <= now)
      decisions.endSession(session, "expired", session.expiresAt);
  // Ended sessions are kept long enough for their mail to bounce.
  for (const { id, endedAt = now } of [...post.sessions.values()])
    if (now - endedAt > decisions.endedSessionSeconds * 1000) post.sessions.delete(id);
  for (const entry of addressedIn(hub.store)) if (!entry.deleted) settleMessage(office, entry);
  for (const directive of post.directives) settleDirective(office, directive);
}

/** Caches the addressed messages of a store until its size changes. Every request needs them, and few messages are addressed. */
const addressedMessages = new WeakMap<Store, { size: number; entries: StoredMessage[] }>();

function addressedIn(store: Store): readonly StoredMessage[] {
  const cached = addressedMessages.get(store);
  if (cached?.size === store.entries.size) return cached.entries;
  const entries = [...store.entries.values()].filter(({ message }) => addresseeOf(message) !== undefined);
  addressedMessages.set(store, { size: store.entries.size, entries });
  return entries;
}

function settleMessage(office: PostOffice, entry: StoredMessage): void {
  const { hub, post, decisions } = office;
  const addressee = addresseeOf(entry.message);
  if (addressee === undefined) return;
  const mail = mailOf(post, entry.id);
  const hasSenderEnded = post.sessions.get(sendingSession(entry.message) ?? "")?.endedAt !== undefined;
  if (decisions.withdrawsOutcomes && hasSenderEnded && entry.status !== "open") entry.status = "cancelled";
  if (decisions.isFinal(mail)) return;
  const { endedAt } = post.sessions.get(addressee.session ?? "") ?? {};
  const { expires_at: expiresAt } = entry.message;
  const deadline = typeof expiresAt === "string" ? instant(expiresAt) : undefined;
  const isLate = deadline !== undefined && hub.clock.now() > deadline;
  // Mail expires or bounces, depending on whether its deadline or the end of its session was first.
  if (isLate && decisions.deadlineCountsFirst(deadline < (endedAt ?? Number.POSITIVE_INFINITY))) {
    expire(hub, entry, "read");
    // The hub may notice a deadline late, and then the message is still open.
    if (entry.status !== "open") mail.state = decisions.stateAtDeadline(mail);
  }
  if (decisions.shouldBounce(endedAt !== undefined && mail.state !== "expired", { addressee, mail, post })) {
    const { session = "" } = addressee;
    const at = post.sessions.get(session)?.endedAt ?? hub.clock.now();
    const prior = mail.state === "delivered" ? "delivered" : "queued";
    Object.assign(mail, { state: "bounced", prior });
    endUndelivered(office, entry, { at, prior, session });
  } else if (addressee.session === undefined) endAfterRetention(office, entry, mail);
}

/** Ends mail without a session once its retention time is over. */
function endAfterRetention(office: PostOffice, entry: StoredMessage, mail: Mail): void {
  const { hub, decisions } = office;
  const at = entry.acceptedAt + decisions.mailRetentionMs;
  if (hub.clock.now() <= at || decisions.isFinal(mail)) return;
  const session = decisions.retiredReceiptSession(mail);
  const prior = mail.state === "delivered" ? "delivered" : "queued";
  const state = decisions.stateAfterRetention(mail);
  Object.assign(mail, { state, ...(state === "bounced" ? { prior } : {}) });
  if (decisions.endsRetiredMessages)
    endUndelivered(office, entry, { at, prior, ...(session === undefined ? {} : { session }) });
}

function settleDirective({ hub, post, decisions }: PostOffice, { session, at, payload }: Directive): void {
  const mail = mailOf(post, String(payload.id));
  const { endedAt } = post.sessions.get(session ?? "") ?? {};
  if (decisions.isFinal(mail)) return;
  const { state } = mail;
  if (endedAt !== undefined && decisions.bouncesDirectives) Object.assign(mail, { state: "bounced", prior: state });
  else if (session === undefined && hub.clock.now() > at + decisions.mailRetentionMs)
    mail.state = decisions.stateAfterRetention(mail);
}

/** How mail ended without an acknowledgment. */
interface UndeliveredMail {
  at: number;
  prior: "queued" | "delivered";
  /** The session that the receipt names. Without it, no receipt is sent. */
  session?: string;
}

function endUndelivered(
  { hub, post, decisions }: PostOffice,
  entry: StoredMessage,
  { at, prior, session }: UndeliveredMail,
): void {
  if (decisions.changeEnding !== undefined && decisions.endsWithBounce(entry.status === "open")) {
    const resolution = entry.message.type === "task" ? "dismissed" : "cancelled";
    end(hub, entry, decisions.changeEnding({ resolution, actor: "system:undeliverable" }, entry), at);
  }
  const senderSession = post.sessions.get(sendingSession(entry.message) ?? "");
  if (session === undefined || senderSession === undefined || !decisions.deliversReceipt(wasAlive(senderSession, at)))
    return;
  const payload: JsonObject = {
    ma2h_version: hub.protocol.version,
    type: "receipt",
    id: `rcpt_${randomBytes(16).toString("base64url")}`,
    in_reply_to: entry.id,
    event: "bounced",
    prior,
    at: timestamp(at),
    session,
    to: `agent:${senderSession.agent}#${senderSession.id}`,
  };
  post.receipts.push({
    agent: senderSession.agent,
    session: senderSession.id,
    at,
    payload: decisions.changeReceipt(payload),
  });
}
