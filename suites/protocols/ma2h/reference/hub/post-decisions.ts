import type { JsonObject } from "../../../../../schemas/index.ts";
import type { MessageOutcome } from "../../../ahcp/reference/hub/hub.ts";
import type { HubReply } from "../../../ahcp/reference/hub/reply.ts";
import type { StoredMessage } from "../../../ahcp/reference/hub/store.ts";
import type { Stamp } from "../../../ahcp/rules/signature.ts";
import type { EntryKind } from "../../rules/kinds.ts";
import type { HubSession, Mail, Post } from "./mail.ts";

/** A request that may renew the lease of a session. */
export type SessionAct = "drain" | "ack" | "submit" | "resolve" | "read" | "stream" | "drain without session";

/** An event that may count as a sign that an agent is present. */
export type SeenAct = "request" | "drain" | "stream" | "waiting read" | "mail" | "restart";

/** An entry of a mailbox. */
export interface MailEntry {
  kind: EntryKind["member"];
  /** The key that acknowledgments name. */
  key: string;
  /** The session that the entry is for; absent if it is for any session of the agent. */
  session?: string | undefined;
  at: number;
  mail: Mail;
  payload: JsonObject;
  /** The message in the entry, or the message that the entry is about. */
  stored?: StoredMessage;
  /** Whether the session had ended before the outcome. */
  isLate?: boolean;
}

/** The sender and the destination of a message, which may be refused because of them. */
export interface MailDestination {
  sender: string;
  addressee: { agent: string; session?: string } | undefined;
  /** The session that the message is sent from. */
  own: HubSession | undefined;
  /** The session that the message is addressed to. */
  session: HubSession | undefined;
  /** The agents with a live session. */
  liveAgents: readonly string[];
}

/**
 * The decisions of a hub about sessions and mailboxes. A variant overrides some of them.
 * The first parameter of most functions is the correct decision.
 */
export interface PostDecisions {
  /** The session that a registration creates. */
  createSession(session: HubSession, body: JsonObject): HubSession;
  /** Whether a registration is validated against its schema. */
  validatesRegistration: boolean;
  /** The length of a lease. `limited` is the requested length within the published bounds. */
  leaseSeconds(limited: number, requested: number): number;
  /** How many live sessions an agent may have. */
  maxLiveSessions: number;
  /** Whether a request renews the lease of its session. */
  renewsLease(act: SessionAct): boolean;
  /** Whether a request reactivates a session that has ended. */
  revivesSessions: boolean;
  /** The time at which a lease runs out. */
  leaseEndOf(session: HubSession): number;
  /** Ends a session, unless it has already ended. */
  endSession(session: HubSession, state: "closed" | "expired", at: number): void;
  /** Whether the caller may use a session. */
  mayUseSession(isOwner: boolean): boolean;
  /** Whether a list or a read shows a session. */
  mayViewSession(isOwner: boolean, session: HubSession): boolean;
  /** Seconds for which an ended session is kept. */
  endedSessionSeconds: number;
  /** The status for the caller's own session after its end. */
  goneStatus: 404 | 410;
  /** A session as answers show it. */
  presentSession(shown: JsonObject, session: HubSession): JsonObject;

  /** Whether agents can write to each other, as the capability document says. */
  offersMail: boolean;
  /** The refusal of mail for a mailbox with this many entries. */
  refuseFullMailbox(entryCount: number, maxDepth: number): HubReply | undefined;
  /** Whether mail for a full mailbox is accepted and lost. */
  losesExcessMail: boolean;
  /** The refusal of mail beyond the rate of addressed submits. */
  refuseFastMail(refusal: HubReply): HubReply;
  /** Whether addressed submits count toward the general limit too. */
  countsMailTwice: boolean;
  /** The refusal of a destination or sending session; undefined to accept it. */
  refuseDestination(refusal: HubReply | undefined, destination: MailDestination): HubReply | undefined;
  /** The body of the answer that accepts a message. */
  acceptedBody(body: JsonObject, message: JsonObject): JsonObject;
  /** The state of a destination that the sender may see. */
  visibleReach(state: "online" | "offline" | "unknown", isOwn: boolean): "online" | "offline" | "unknown";
  /** The mailbox track that a read shows. */
  presentTrack(track: JsonObject, mail: Mail): JsonObject | undefined;

  /** The agent whose mailbox a drain reads. */
  mailboxOwner(principal: string, query: URLSearchParams): string;
  /** Whether a drain returns an entry; `session` is undefined for a drain without a session. */
  deliversEntry(isDeliverable: boolean, entry: MailEntry, session: string | undefined): boolean;
  /** The entries in the order of the answer. */
  sortEntries(entries: MailEntry[]): MailEntry[];
  /** The maximum number of entries in an answer. */
  batchSize(requested: number): number;
  /** Whether a drain may wait for entries. */
  holdsDrains: boolean;
  /** Milliseconds for which a claimed entry is hidden. */
  hidingMs(milliseconds: number): number;
  /** Marks an entry as claimed. */
  markClaimed(mail: Mail, now: number): void;
  /** An entry as a stream sends it; undefined to send nothing. */
  streamedEntry(entry: JsonObject): JsonObject | undefined;
  /** Whether a stream hides an entry for a while. */
  hidesStreamedEntries: boolean;
  /** Whether a streamed entry counts as delivered. */
  deliversByStream: boolean;
  /** The time by the hub's clock at which a stream ends. `latest` is the end of its maximum length. */
  streamEnd(latest: number, leaseEnd: number): number;
  /** Whether an open stream renews its lease. */
  renewsWhileStreaming: boolean;
  /** Whether an entry is pushed to the webhook of its agent. */
  pushesToWebhook(entry: MailEntry): boolean;
  /** The body of a push to a webhook. */
  webhookBody(payload: JsonObject, signature: string): JsonObject;
  /** Whether pushes to a webhook are signed. */
  signsWebhooks: boolean;
  /** Whether a push is retried after this status, which is undefined if there was no answer. */
  retriesWebhook(status: number | undefined, attempts: number): boolean;
  /** Whether webhook URLs have to pass the checks for callback URLs. */
  guardsWebhooks: boolean;
  /** Whether pushes to a webhook follow redirects. */
  followsRedirects: boolean;
  /** Whether pending webhooks survive a restart. */
  resumesWebhooks: boolean;
  /** Updates mail after its webhook accepted or refused it. */
  recordWebhookResult(mail: Mail, isAccepted: boolean, now: number): void;
  /** Whether an acknowledgment with these keys includes an entry. */
  matchesKeys(keys: readonly string[], entry: MailEntry): boolean;
  /** Whether an entry can be acknowledged; `session` is undefined for a request without a session. */
  mayAcknowledge(isPresented: boolean, entry: MailEntry, session: string | undefined): boolean;
  /** Whether an agent can acknowledge entries in the mailboxes of others. */
  acknowledgesForOthers: boolean;
  /** The payload of an entry as the addressee receives it. */
  presentPayload(payload: JsonObject, entry: MailEntry): JsonObject;
  /** The timestamp and nonce of an entry's signature. */
  stamp(fresh: Stamp, entry: MailEntry): Stamp;
  /** The members that the signature covers. */
  signedContext(context: JsonObject, entry: MailEntry): JsonObject;
  /** Whether an outcome goes to the session that sent the message. */
  deliversOutcome(isAlive: boolean): boolean;
  /** Whether a receipt goes to the session that sent the message. */
  deliversReceipt(isAlive: boolean): boolean;
  /** Whether acknowledging an entry also acknowledges the outcome in it. */
  acknowledgesOutcomes: boolean;

  /** The state of mail after its deadline. */
  stateAtDeadline(mail: Mail): Mail["state"];
  /** The author of a directive. `person` is the person of the account. */
  directiveAuthor(person: string, claimed: string | undefined): string;
  /** The refusal of a directive; undefined to accept it. */
  refuseDirective(refusal: HubReply | undefined): HubReply | undefined;
  /** Whether an entry is past its deadline. */
  isLate(isPast: boolean, entry: MailEntry): boolean;
  /** Whether the note of an acknowledgment is kept. */
  keepsNotes: boolean;
  /** Whether a directive can be read as if it were a message. */
  showsDirectivesAsMessages: boolean;
  /** Whether directives for a session bounce with it. */
  bouncesDirectives: boolean;

  /** Whether a session is shown as closed by the operator. */
  marksStopped(isStopped: boolean, session: HubSession): boolean;
  /** Whether the person can close a session that has already ended. */
  closesEndedSessions: boolean;
  /** The error code for a session that the person closed. */
  stoppedCode: "session_closed_by_operator" | "gone";
  /** Whether a stopped agent is refused registration. */
  enforcesStops: boolean;
  /** Whether an agent that closes a session lifts its stop. */
  liftsStopAtClose: boolean;
  /** Whether the person sees and closes the sessions of the account. */
  personManagesSessions: boolean;

  /** Whether an event counts as a sign that the agent is present. */
  countsAsSeen(act: SeenAct): boolean;
  /** Milliseconds for which an agent counts as online after it was seen. */
  freshness: number;
  /** Whether the caller can read the presence of an agent. */
  mayReadPresence(isPerson: boolean): boolean;
  /** The time at which an agent was last reachable: through a session, or by its last sign of presence. */
  lastReachedAt(bySession: number, seen: number | undefined): number;

  /** Whether a drain with an invalid `max` is refused. */
  refusesOddBatches: boolean;
  /** The count in the answer to an acknowledgment. */
  acknowledgedCount(acknowledged: number, named: number): number;
  /** Whether the answer to a close contains the session. */
  returnsClosedSession: boolean;
  /** Whether a refused message renews the lease of its session. */
  renewsForRefused: boolean;
  /** Whether mail can reach an agent, which may belong to another account. */
  isReachable(isOfAccount: boolean): boolean;
  /** Whether presence hides agents of other accounts. */
  hidesForeignAgents: boolean;
  /** The refusal of a sender that its addressee does not list. */
  refuseUnlisted(isListed: boolean): HubReply | undefined;
  /** Whether an agent with a # in its id can use addresses and sessions. */
  acceptsHashAgents: boolean;
  /** Milliseconds between the check for a stop and the registration. */
  registrationDelayMs: number;
  /** Milliseconds for which unacknowledged mail is kept. */
  mailRetentionMs: number;
  /** The state of mail once its retention time is over. */
  stateAfterRetention(mail: Mail): "expired" | "bounced";
  /** Whether a message ends when the retention time of its mail is over. */
  endsRetiredMessages: boolean;
  /** The session that the receipt for mail past its retention time names. Undefined to send no receipt. */
  retiredReceiptSession(mail: Mail): string | undefined;
  /** Whether an outcome that was never fetched expires after its retention time. It depends on the version of its message. */
  expiresOutcome(minor: number): boolean;
  /** Whether the state of mail can no longer change. */
  isFinal({ state }: Mail): boolean;
  /** Whether mail expires at its deadline, which may be before or after the end of its session. */
  deadlineCountsFirst(isBefore: boolean): boolean;
  /** Whether a bounce ends the message. */
  endsWithBounce(isOpen: boolean): boolean;
  /** Whether an outcome is withdrawn when its session ends. */
  withdrawsOutcomes: boolean;
  /** Changes sessions and mail at a restart. */
  changeAtRestart(post: Post): void;
  /** Whether mail bounces now. */
  shouldBounce(isDue: boolean, about: { addressee: { session?: string }; mail: Mail; post: Post }): boolean;
  /** The outcome of an undeliverable message; absent if such a message stays open. */
  changeEnding?: (outcome: MessageOutcome, entry: StoredMessage) => MessageOutcome;
  /** Changes a receipt before it is sent. */
  changeReceipt(payload: JsonObject): JsonObject;
}

/** The limits and times that the hub publishes. */
export const publishedLimits = {
  /** The length of a lease in seconds. */
  ttl: { min: 2, max: 43_200, usual: 600 },
  /** How many live sessions an agent may have. */
  live: 16,
  /** How many entries a drain returns. */
  batch: 32,
  /** Seconds for which a claimed entry is hidden. */
  visibility: 5,
  /** Seconds for which an agent counts as online. */
  freshness: 90,
  /** Seconds for which an ended session is kept. */
  kept: 86_400,
  /** Days for which mail is kept. */
  retentionDays: 1,
  /** Seconds for which a stream is held. */
  hold: 3,
  /** A stream ends this many milliseconds before its lease. */
  margin: 500,
};

/** The answer to a message for an agent that does not exist for its sender. */
export const unknownDestination: HubReply = {
  status: 422,
  body: { error: { code: "unknown_destination", message: "/to names no agent" } },
};

/** The decisions that the protocol requires. */
export const correctPostDecisions: PostDecisions = {
  offersMail: true,
  createSession: (session) => session,
  validatesRegistration: true,
  leaseSeconds: (limited) => limited,
  maxLiveSessions: publishedLimits.live,
  renewsLease: (act) => act !== "read" && act !== "drain without session",
  revivesSessions: false,
  leaseEndOf: ({ expiresAt }) => expiresAt,
  endSession(session, state, at) {
    if (session.state === "active") Object.assign(session, { state, endedAt: at });
  },
  mayUseSession: (isOwner) => isOwner,
  mayViewSession: (isOwner) => isOwner,
  endedSessionSeconds: publishedLimits.kept,
  goneStatus: 410,
  presentSession: (shown) => shown,

  refuseFullMailbox: () => undefined,
  losesExcessMail: false,
  refuseFastMail: (refusal) => refusal,
  countsMailTwice: false,
  refuseDestination: (refusal) => refusal,
  acceptedBody: (body) => body,
  visibleReach: (state, isOwn) => (isOwn ? state : "unknown"),
  presentTrack: (track) => track,

  mailboxOwner: (principal) => principal,
  deliversEntry: (isDeliverable) => isDeliverable,
  sortEntries: (entries) => entries.sort((a, b) => a.at - b.at),
  batchSize: (requested) => requested,
  holdsDrains: true,
  hidingMs: (milliseconds) => milliseconds,
  markClaimed(mail, now) {
    if (mail.state === "queued") mail.state = "delivered";
    mail.deliveredAt ??= now;
  },
  streamedEntry: (entry) => entry,
  hidesStreamedEntries: true,
  deliversByStream: false,
  streamEnd: (latest, leaseEnd) => Math.min(latest, leaseEnd - publishedLimits.margin),
  renewsWhileStreaming: false,
  pushesToWebhook: ({ kind }) => kind === "directive",
  webhookBody: (payload) => payload,
  signsWebhooks: true,
  retriesWebhook: (status) => status === undefined || status >= 500,
  guardsWebhooks: true,
  followsRedirects: false,
  resumesWebhooks: true,
  recordWebhookResult(mail, isAccepted, now) {
    if (isAccepted) correctPostDecisions.markClaimed(mail, now);
  },
  matchesKeys: (keys, { key }) => keys.includes(key),
  mayAcknowledge: (isPresented) => isPresented,
  acknowledgesForOthers: false,
  presentPayload: (payload) => payload,
  stamp: (fresh) => fresh,
  signedContext: (context) => context,
  deliversOutcome: (isAlive) => isAlive,
  deliversReceipt: (isAlive) => isAlive,
  acknowledgesOutcomes: true,

  stateAtDeadline: ({ state }) => (state === "queued" ? "expired" : state),
  directiveAuthor: (person) => person,
  refuseDirective: (refusal) => refusal,
  isLate: (isPast) => isPast,
  keepsNotes: true,
  showsDirectivesAsMessages: false,
  bouncesDirectives: true,

  marksStopped: (isStopped) => isStopped,
  closesEndedSessions: false,
  stoppedCode: "session_closed_by_operator",
  enforcesStops: true,
  liftsStopAtClose: false,
  personManagesSessions: true,

  countsAsSeen: (act) => act === "drain" || act === "stream" || act === "waiting read",
  freshness: publishedLimits.freshness * 1000,
  mayReadPresence: (isPerson) => isPerson,
  lastReachedAt: (bySession) => bySession,

  refusesOddBatches: false,
  acknowledgedCount: (acknowledged) => acknowledged,
  returnsClosedSession: true,
  renewsForRefused: false,
  isReachable: (isOfAccount) => isOfAccount,
  hidesForeignAgents: true,
  refuseUnlisted: (isListed) => (isListed ? undefined : unknownDestination),
  acceptsHashAgents: false,
  registrationDelayMs: 0,
  mailRetentionMs: publishedLimits.retentionDays * 86_400_000,
  stateAfterRetention: ({ state }) => (state === "queued" ? "expired" : "bounced"),
  endsRetiredMessages: true,
  retiredReceiptSession: ({ state, claimedBy }) => (state === "delivered" ? claimedBy : undefined),
  expiresOutcome: (minor) => minor >= 5,

  isFinal: ({ state }) => state !== "queued" && state !== "delivered",
  deadlineCountsFirst: (isBefore) => isBefore,
  endsWithBounce: (isOpen) => isOpen,
  withdrawsOutcomes: false,
  changeAtRestart() {},
  shouldBounce: (isDue) => isDue,
  changeEnding: (outcome) => outcome,
  changeReceipt: (payload) => payload,
};
