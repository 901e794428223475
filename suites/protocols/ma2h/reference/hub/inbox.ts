import { randomBytes } from "node:crypto";
import { isObject, type Json, type JsonObject, jsonObjectOf } from "../../../../../schemas/index.ts";
import type { MessageSpelling } from "../../../../packs/pack/renamed-scenarios.ts";
import { blockOf } from "../../../ahcp/reference/hub/lifecycle.ts";
import { fault, type HubReply, isReply } from "../../../ahcp/reference/hub/reply.ts";
import type { StoredMessage } from "../../../ahcp/reference/hub/store.ts";
import { formatHeader, signatureOf } from "../../../ahcp/rules/signature.ts";
import { addressOf, entryContext } from "../../rules/signed-entry.ts";
import { mailOf, wasAlive } from "./mail.ts";
import { addresseeOf, type PostOffice, sendingSession, settle } from "./post.ts";
import { type MailEntry, published } from "./post-decisions.ts";
import { findPresented } from "./sessions.ts";

/** All entries in the mailbox of an agent. */
export function entriesOf({ hub, post, decides }: PostOffice, agent: string, spelling: MessageSpelling): MailEntry[] {
  const stored = [...hub.store.entries.values()].filter(({ deleted }) => !deleted);
  const messages = stored.flatMap((storedMessage): MailEntry[] => {
    const addressee = addresseeOf(storedMessage.message);
    if (addressee?.agent !== agent) return [];
    const payload = spelling.value(deliveredForm(storedMessage)) as JsonObject;
    const mail = mailOf(post, storedMessage.id);
    return [
      {
        kind: "message",
        key: storedMessage.id,
        session: addressee.session,
        at: storedMessage.acceptedAt,
        mail,
        payload,
        stored: storedMessage,
      },
    ];
  });
  const responses = stored.flatMap((storedMessage): MailEntry[] => {
    const session = post.sessions.get(sendingSession(storedMessage.message) ?? "");
    const { envelope } = storedMessage;
    if (storedMessage.agent !== agent || session === undefined || envelope === undefined) return [];
    const isLate = !wasAlive(session, storedMessage.changedAt);
    if (!decides.deliversOutcome(!isLate)) return [];
    const key = String(envelope.resolution_id);
    const payload = spelling.value(envelope) as JsonObject;
    return [
      {
        kind: "response",
        key,
        session: session.id,
        at: storedMessage.changedAt,
        mail: mailOf(post, key),
        payload,
        stored: storedMessage,
        isLate,
      },
    ];
  });
  const receipts = post.receipts
    .filter((receipt) => receipt.agent === agent)
    .map(({ session, at, payload }): MailEntry => {
      const key = String(payload.id);
      return { kind: "receipt", key, session, at, mail: mailOf(post, key), payload };
    });
  const directives = post.directives
    .filter((directive) => directive.agent === agent)
    .map((directive): MailEntry => {
      const key = String(directive.payload.id);
      const { session, at, payload } = directive;
      return { kind: "directive", key, session, at, mail: mailOf(post, key), payload };
    });
  return [...messages, ...responses, ...receipts, ...directives];
}

/** A message as its addressee receives it: with the sender that the hub knows, and without the sender's private members. */
function deliveredForm({ id, agent, message }: StoredMessage): JsonObject {
  const { state: _state, client_ref: _reference, ...kept } = message;
  const name = message.type === "task" ? "action" : "request";
  const { callback: _callback, ...block } = blockOf(message);
  const session = sendingSession(message);
  return {
    ...kept,
    ...(isObject(message[name]) ? { [name]: block } : {}),
    id,
    from: addressOf({ agent, session }),
  };
}

/** A request to drain a mailbox. */
interface Drain {
  query: URLSearchParams;
  signal: AbortSignal;
  spelling: MessageSpelling;
}

/** Answers a drain, and waits for entries if the request asks for that. */
export async function drain(office: PostOffice, principal: string, request: Drain): Promise<HubReply> {
  const { hub, decides } = office;
  const { query, signal, spelling } = request;
  const session = findPresented(office, principal, query.get("session"), "drain");
  if (session !== undefined && isReply(session)) return session;
  if (decides.refusesOddBatches && !/^[1-9]\d*$/.test(query.get("max") ?? "1"))
    return fault("validation_error", "max is not a number of entries");
  const owner = decides.mailboxOwner(principal, query);
  if (decides.countsAsSeen("drain")) office.post.seen.set(principal, hub.clock.now());
  const seconds = decides.holdsDrains ? Math.min(Number(query.get("wait")) || 0, 60) : 0;
  const until = hub.clock.now() + seconds * 1000;
  for (;;) {
    settle(office);
    const messages = claim(office, owner, session?.id, { max: query.get("max"), spelling, way: "drain" });
    if (messages.length > 0 || hub.clock.now() >= until || signal.aborted) return { status: 200, body: { messages } };
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** The parameters of a claim: how many entries, and for a drain or a stream. */
interface Claim {
  max: string | null;
  spelling: MessageSpelling;
  way: "drain" | "stream";
}

/** Claims entries for a session of the owner; `session` is undefined for a drain without one. */
export function claim(
  office: PostOffice,
  owner: string,
  session: string | undefined,
  { max, spelling, way }: Claim,
): JsonObject[] {
  const { hub, decides } = office;
  const now = hub.clock.now();
  const claimable = entriesOf(office, owner, spelling).filter((entry) => {
    const isFor = session === undefined ? goesWithoutSession(entry) : isForSession(entry, session);
    const isPending = entry.mail.state === "queued" || entry.mail.state === "delivered";
    return (
      isPending &&
      entry.mail.hiddenUntil <= now &&
      now - entry.at <= decides.mailRetentionMs &&
      !decides.isLate(isLate(entry, now), entry) &&
      decides.deliversEntry(isFor, entry, session)
    );
  });
  const asked = Number(max ?? published.batch);
  const most = asked >= 1 ? Math.min(Math.floor(asked), published.batch) : published.batch;
  const claimed = decides.sortEntries(claimable).slice(0, decides.batchSize(most));
  return claimed.map((entry) => {
    if (way === "drain" || decides.hidesStreamedEntries)
      entry.mail.hiddenUntil = now + decides.hidingMs(published.visibility * 1000);
    if (session !== undefined) entry.mail.claimedBy = session;
    if (way === "stream") entry.mail.wasStreamed = true;
    if (way === "drain" || decides.deliversByStream) decides.markClaimed(entry.mail, now);
    return {
      [entry.kind]: decides.presentPayload(entry.payload, entry),
      signature: signatureFor(office, entry, owner, session),
    };
  });
}

function isForSession({ kind, session }: MailEntry, claimingSession: string): boolean {
  return session === claimingSession || ((kind === "message" || kind === "directive") && session === undefined);
}

/** Whether a drain without a session returns an entry. */
function goesWithoutSession({ kind, session }: MailEntry): boolean {
  return kind === "directive" && session === undefined;
}

function isLate({ kind, payload }: MailEntry, now: number): boolean {
  return (
    (kind === "message" || kind === "directive") &&
    typeof payload.expires_at === "string" &&
    Date.parse(payload.expires_at) < now
  );
}

/** The signature header of an entry for an agent or one of its sessions. */
export function signatureFor(
  { hub, decides }: PostOffice,
  entry: MailEntry,
  agent: string,
  session: string | undefined,
): string {
  const fresh = { t: String(Math.floor(hub.clock.now() / 1000)), jti: randomBytes(16).toString("base64url") };
  const stamp = decides.stamp(fresh, entry);
  const payload = decides.presentPayload(entry.payload, entry);
  const context = entryContext(entry.kind, payload, stamp, addressOf({ agent, session }));
  const key = hub.policy.ownKey(hub);
  return `MA2H-Signature: ${formatHeader(stamp, signatureOf(decides.signedContext(context, entry), key))}`;
}

/** Acknowledges entries of a mailbox, and calls `noteReached` for each outcome among them. */
export async function acknowledgeEntries(
  office: PostOffice,
  principal: string,
  request: Request,
  { spelling, noteReached }: { spelling: MessageSpelling; noteReached: (stored: StoredMessage) => void },
): Promise<HubReply> {
  const { hub, decides } = office;
  const sessionId = new URL(request.url).searchParams.get("session");
  const session = findPresented(office, principal, sessionId, "ack");
  if (session !== undefined && isReply(session)) return session;
  const { ids, note } = jsonObjectOf(await request.text()) ?? {};
  if (!Array.isArray(ids) || !ids.every((key: Json) => typeof key === "string"))
    return fault("validation_error", "/ids is not a list of keys");
  const ownEntries = entriesOf(office, principal, spelling);
  const otherEntries = decides.acknowledgesForOthers
    ? Object.values(hub.settings.credentials ?? {}).flatMap(({ agent }) => entriesOf(office, agent, spelling))
    : [];
  let acked = 0;
  for (const entry of [...ownEntries, ...otherEntries]) {
    const { mail } = entry;
    const hasReachedAgent = mail.deliveredAt !== undefined || mail.wasStreamed === true;
    const isPending = mail.state === "queued" || mail.state === "delivered";
    if (
      !isPending ||
      !decides.matchesKeys(ids as string[], entry) ||
      !decides.mayAcknowledge(hasReachedAgent, entry, session?.id)
    )
      continue;
    Object.assign(mail, { state: "acknowledged", acknowledgedAt: hub.clock.now() });
    if (entry.kind === "response" && entry.stored !== undefined && decides.acknowledgesOutcomes)
      noteReached(entry.stored);
    const directive = office.post.directives.find(({ payload }) => payload.id === entry.key);
    if (directive !== undefined && typeof note === "string" && decides.keepsNotes) directive.note = note;
    acked += 1;
  }
  return { status: 200, body: { acked: decides.acknowledgedCount(acked, ids.length) } };
}
