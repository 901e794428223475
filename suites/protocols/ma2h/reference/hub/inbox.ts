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
import { type MailEntry, publishedLimits } from "./post-decisions.ts";
import { findPresented } from "./sessions.ts";

/** All entries in the mailbox of an agent. */
export function entriesOf({ hub, post, decisions }: PostOffice, agent: string, spelling: MessageSpelling): MailEntry[] {
  const storedMessages = [...hub.store.entries.values()].filter(({ deleted }) => !deleted);
  const messages = storedMessages.flatMap((storedMessage): MailEntry[] => {
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
  const responses = storedMessages.flatMap((storedMessage): MailEntry[] => {
    const session = post.sessions.get(sendingSession(storedMessage.message) ?? "");
    const { envelope } = storedMessage;
    if (storedMessage.agent !== agent || session === undefined || envelope === undefined) return [];
    const isLate = !wasAlive(session, storedMessage.changedAt);
    if (!decisions.deliversOutcome(!isLate)) return [];
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

/** A message as its addressee receives it: with the authenticated sender, and without the sender's private members. */
function deliveredForm({ id, agent, message }: StoredMessage): JsonObject {
  const { state: _state, client_ref: _reference, ...publicMembers } = message;
  const blockName = message.type === "task" ? "action" : "request";
  const { callback: _callback, ...block } = blockOf(message);
  const session = sendingSession(message);
  return {
    ...publicMembers,
    ...(isObject(message[blockName]) ? { [blockName]: block } : {}),
    id,
    from: addressOf({ agent, session }),
  };
}

/** How long a drain may wait for entries. */
const maxWaitSeconds = 60;

/** A request to drain a mailbox. */
interface Drain {
  query: URLSearchParams;
  signal: AbortSignal;
  spelling: MessageSpelling;
}

/** Answers a drain, and waits for entries if the request asks for that. */
export async function drain(office: PostOffice, principal: string, request: Drain): Promise<HubReply> {
  const { hub, decisions } = office;
  const { query, signal, spelling } = request;
  const session = findPresented(office, principal, query.get("session"), "drain");
  if (session !== undefined && isReply(session)) return session;
  if (decisions.refusesOddBatches && !/^[1-9]\d*$/.test(query.get("max") ?? "1"))
    return fault("validation_error", "max is not a number of entries");
  const owner = decisions.mailboxOwner(principal, query);
  if (decisions.countsAsSeen("drain")) office.post.seen.set(principal, hub.clock.now());
  const waitSeconds = decisions.holdsDrains ? Math.min(Number(query.get("wait")) || 0, maxWaitSeconds) : 0;
  const deadline = hub.clock.now() + waitSeconds * 1000;
  for (;;) {
    settle(office);
    const messages = claimEntries(office, owner, session?.id, { max: query.get("max"), spelling, channel: "drain" });
    if (messages.length > 0 || hub.clock.now() >= deadline || signal.aborted)
      return { status: 200, body: { messages } };
    await new Promise((done) => setTimeout(done, 20));
  }
}

interface ClaimOptions {
  /** The requested maximum of entries. */
  max: string | null;
  spelling: MessageSpelling;
  channel: "drain" | "stream";
}

/** Claims entries for a session of the owner; `session` is undefined for a drain without one. */
export function claimEntries(
  office: PostOffice,
  owner: string,
  session: string | undefined,
  { max, spelling, channel }: ClaimOptions,
): JsonObject[] {
  const { hub, decisions } = office;
  const now = hub.clock.now();
  const claimable = entriesOf(office, owner, spelling).filter((entry) => {
    const isDeliverable = session === undefined ? needsNoSession(entry) : isForSession(entry, session);
    const isPending = entry.mail.state === "queued" || entry.mail.state === "delivered";
    return (
      isPending &&
      entry.mail.hiddenUntil <= now &&
      now - entry.at <= decisions.mailRetentionMs &&
      !decisions.isLate(isLate(entry, now), entry) &&
      decisions.deliversEntry(isDeliverable, entry, session)
    );
  });
  const requested = Number(max ?? publishedLimits.batch);
  const maxBatch = requested >= 1 ? Math.min(Math.floor(requested), publishedLimits.batch) : publishedLimits.batch;
  const claimed = decisions.sortEntries(claimable).slice(0, decisions.batchSize(maxBatch));
  return claimed.map((entry) => {
    if (channel === "drain" || decisions.hidesStreamedEntries)
      entry.mail.hiddenUntil = now + decisions.hidingMs(publishedLimits.visibility * 1000);
    if (session !== undefined) entry.mail.claimedBy = session;
    if (channel === "stream") entry.mail.wasStreamed = true;
    if (channel === "drain" || decisions.deliversByStream) decisions.markClaimed(entry.mail, now);
    return {
      [entry.kind]: decisions.presentPayload(entry.payload, entry),
      signature: signatureFor(office, entry, owner, session),
    };
  });
}

function isForSession({ kind, session }: MailEntry, claimingSession: string): boolean {
  return session === claimingSession || ((kind === "message" || kind === "directive") && session === undefined);
}

/** Whether a drain without a session returns an entry. */
function needsNoSession({ kind, session }: MailEntry): boolean {
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
  { hub, decisions }: PostOffice,
  entry: MailEntry,
  agent: string,
  session: string | undefined,
): string {
  const fresh = { t: String(Math.floor(hub.clock.now() / 1000)), jti: randomBytes(16).toString("base64url") };
  const stamp = decisions.stamp(fresh, entry);
  const payload = decisions.presentPayload(entry.payload, entry);
  const context = entryContext(entry.kind, payload, stamp, addressOf({ agent, session }));
  const key = hub.policy.hubKey(hub);
  return `MA2H-Signature: ${formatHeader(stamp, signatureOf(decisions.signedContext(context, entry), key))}`;
}

/** Acknowledges entries of a mailbox, and calls `onOutcome` for each outcome among them. */
export async function acknowledgeEntries(
  office: PostOffice,
  principal: string,
  request: Request,
  { spelling, onOutcome }: { spelling: MessageSpelling; onOutcome: (message: StoredMessage) => void },
): Promise<HubReply> {
  const { hub, decisions } = office;
  const sessionId = new URL(request.url).searchParams.get("session");
  const session = findPresented(office, principal, sessionId, "ack");
  if (session !== undefined && isReply(session)) return session;
  const { ids, note } = jsonObjectOf(await request.text()) ?? {};
  if (!Array.isArray(ids) || !ids.every((key: Json) => typeof key === "string"))
    return fault("validation_error", "/ids is not a list of keys");
  const ownEntries = entriesOf(office, principal, spelling);
  const otherEntries = decisions.acknowledgesForOthers
    ? Object.values(hub.settings.credentials ?? {}).flatMap(({ agent }) => entriesOf(office, agent, spelling))
    : [];
  let ackedCount = 0;
  for (const entry of [...ownEntries, ...otherEntries]) {
    const { mail } = entry;
    const hasReachedAgent = mail.deliveredAt !== undefined || mail.wasStreamed === true;
    const isPending = mail.state === "queued" || mail.state === "delivered";
    if (!isPending || !decisions.matchesKeys(ids as string[], entry)) continue;
    if (!decisions.mayAcknowledge(hasReachedAgent, entry, session?.id)) continue;
    Object.assign(mail, { state: "acknowledged", acknowledgedAt: hub.clock.now() });
    if (entry.kind === "response" && entry.stored !== undefined && decisions.acknowledgesOutcomes)
      onOutcome(entry.stored);
    const directive = office.post.directives.find(({ payload }) => payload.id === entry.key);
    if (directive !== undefined && typeof note === "string" && decisions.keepsNotes) directive.note = note;
    ackedCount += 1;
  }
  return { status: 200, body: { acked: decisions.acknowledgedCount(ackedCount, ids.length) } };
}
