import { randomBytes } from "node:crypto";
import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { MessageSpelling } from "../../../../packs/pack/renamed-scenarios.ts";
import type { RunningHub } from "../../../ahcp/reference/hub/hub.ts";
import { end, expire } from "../../../ahcp/reference/hub/lifecycle.ts";
import type { Store, StoredMessage } from "../../../ahcp/reference/hub/store.ts";
import { instant, timestamp } from "../../../ahcp/reference/hub/time.ts";
import { type Directive, type Mail, mailOf, type Post, wasAlive } from "./mail.ts";
import type { PostDecisions } from "./post-decisions.ts";

export interface PostOffice {
  hub: RunningHub;
  post: Post;
  decides: PostDecisions;
  /** How messages are written in the names of this protocol. */
  spelling: MessageSpelling;
}

/** Who a message is addressed to: the first `#` ends the id. */
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

/** Brings everything up to the present: leases run out, and mail expires and bounces. */
export function settle(office: PostOffice): void {
  const { hub, post, decides } = office;
  const now = hub.clock.now();
  if (post.store !== undefined && post.store !== hub.store) {
    decides.restarts(post);
    if (decides.sees("restart")) for (const agent of post.seen.keys()) post.seen.set(agent, now);
  }
  post.store = hub.store;
  for (const session of post.sessions.values())
    if (session.state === "active" && decides.lapses(session) <= now)
      decides.ends(session, "expired", session.expiresAt);
  // Mail has bounced by then.
  for (const { id, endedAt = now } of [...post.sessions.values()])
    if (now - endedAt > decides.keepsEnded * 1000) post.sessions.delete(id);
  for (const entry of addressedIn(hub.store)) if (!entry.deleted) settleMessage(office, entry);
  for (const directive of post.directives) settleDirective(office, directive);
}

/** The messages with an addressee, by their store, and how many it had then: few have one, and each request asks. */
const addressed = new WeakMap<Store, { size: number; entries: StoredMessage[] }>();

function addressedIn(store: Store): readonly StoredMessage[] {
  const known = addressed.get(store);
  if (known?.size === store.entries.size) return known.entries;
  const entries = [...store.entries.values()].filter(({ message }) => addresseeOf(message) !== undefined);
  addressed.set(store, { size: store.entries.size, entries });
  return entries;
}

function settleMessage(office: PostOffice, entry: StoredMessage): void {
  const { hub, post, decides } = office;
  const addressee = addresseeOf(entry.message);
  if (addressee === undefined) return;
  const mail = mailOf(post, entry.id);
  const isOrphan = post.sessions.get(sendingSession(entry.message) ?? "")?.endedAt !== undefined;
  if (decides.withdrawsOutcomes && isOrphan && entry.status !== "open") entry.status = "cancelled";
  if (decides.isFinal(mail)) return;
  const { endedAt } = post.sessions.get(addressee.session ?? "") ?? {};
  const { expires_at: text } = entry.message;
  const deadline = typeof text === "string" ? instant(text) : undefined;
  const isLate = deadline !== undefined && hub.clock.now() > deadline;
  // The earlier of the two counts.
  if (isLate && decides.isFirst(deadline < (endedAt ?? Number.POSITIVE_INFINITY))) {
    expire(hub, entry, "read");
    // A hub may notice a deadline late.
    if (entry.status !== "open") mail.state = decides.expires(mail);
  }
  if (decides.bounces(endedAt !== undefined && mail.state !== "expired", { addressee, mail, post })) {
    const { session = "" } = addressee;
    const at = post.sessions.get(session)?.endedAt ?? hub.clock.now();
    const prior = mail.state === "delivered" ? "delivered" : "queued";
    Object.assign(mail, { state: "bounced", prior });
    endUndelivered(office, entry, { at, prior, session });
  } else if (addressee.session === undefined) retire(office, entry, mail);
}

/** Mail for an agent is not kept for ever. */
function retire(office: PostOffice, entry: StoredMessage, mail: Mail): void {
  const { hub, decides } = office;
  const at = entry.acceptedAt + decides.keepsMail;
  if (hub.clock.now() <= at || decides.isFinal(mail)) return;
  const session = decides.retiredFor(mail);
  const prior = mail.state === "delivered" ? "delivered" : "queued";
  const state = decides.retires(mail);
  Object.assign(mail, { state, ...(state === "bounced" ? { prior } : {}) });
  if (decides.endsRetired) endUndelivered(office, entry, { at, prior, ...(session === undefined ? {} : { session }) });
}

function settleDirective({ hub, post, decides }: PostOffice, { session, at, payload }: Directive): void {
  const mail = mailOf(post, String(payload.id));
  const { endedAt } = post.sessions.get(session ?? "") ?? {};
  if (decides.isFinal(mail)) return;
  const { state } = mail;
  if (endedAt !== undefined && decides.bouncesDirectives) Object.assign(mail, { state: "bounced", prior: state });
  else if (session === undefined && hub.clock.now() > at + decides.keepsMail) mail.state = decides.retires(mail);
}

/** Mail that was not delivered: when, how far it had come, and the session that a receipt names. */
interface Undelivered {
  at: number;
  prior: "queued" | "delivered";
  session?: string;
}

function endUndelivered(
  { hub, post, decides }: PostOffice,
  entry: StoredMessage,
  { at, prior, session }: Undelivered,
): void {
  if (decides.ending !== undefined && decides.endsWithMail(entry.status === "open")) {
    const resolution = entry.message.type === "task" ? "dismissed" : "cancelled";
    end(hub, entry, decides.ending({ resolution, actor: "system:undeliverable" }, entry), at);
  }
  const sender = post.sessions.get(sendingSession(entry.message) ?? "");
  if (session === undefined || sender === undefined || !decides.receives(wasAlive(sender, at))) return;
  const payload: JsonObject = {
    ma2h_version: hub.protocol.version,
    type: "receipt",
    id: `rcpt_${randomBytes(16).toString("base64url")}`,
    in_reply_to: entry.id,
    event: "bounced",
    prior,
    at: timestamp(at),
    session,
    to: `agent:${sender.agent}#${sender.id}`,
  };
  post.receipts.push({ agent: sender.agent, session: sender.id, at, payload: decides.receipt(payload) });
}
