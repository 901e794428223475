import type { JsonObject } from "../../../../../schemas/index.ts";
import type { MessageOutcome } from "../../../ahcp/reference/hub/hub.ts";
import type { HubReply } from "../../../ahcp/reference/hub/reply.ts";
import type { StoredMessage } from "../../../ahcp/reference/hub/store.ts";
import type { Stamp } from "../../../ahcp/rules/signature.ts";
import type { EntryKind } from "../../rules/kinds.ts";
import type { HubSession, Mail, Post } from "./mail.ts";

export type SessionAct = "drain" | "ack" | "submit" | "resolve" | "read" | "stream" | "drain without session";

/** Something that may show that an agent is there. */
export type SeenAct = "request" | "drain" | "stream" | "waiting read" | "mail" | "restart";

/** An entry of a mailbox. */
export interface MailEntry {
  kind: EntryKind["member"];
  /** Acknowledgments name it. */
  key: string;
  /** The only session that it is for; absent: any of the agent. */
  session?: string | undefined;
  at: number;
  mail: Mail;
  payload: JsonObject;
  /** The message that it is, or that it is about. */
  stored?: StoredMessage;
  /** Whether the session that it is for had ended before. */
  isLate?: boolean;
}

/** Why the destination of a message is refused, or not. */
export interface MailDestination {
  sender: string;
  addressee: { agent: string; session?: string } | undefined;
  /** The session that the message names as its own. */
  own: HubSession | undefined;
  /** The session that it is for. */
  session: HubSession | undefined;
  /** The agents with a live session. */
  liveAgents: readonly string[];
}

/** The points at which a hub decides on sessions and mailboxes. A variant overrides some. */
export interface PostDecisions {
  /** The session that a registration makes. */
  registers(session: HubSession, body: JsonObject): HubSession;
  /** Whether a registration is held against its schema. */
  readsRegistration: boolean;
  /** Seconds of a lease, given those within the published bounds. */
  lease(within: number, asked: number): number;
  /** How many live sessions an agent may have. */
  mostLive: number;
  renews(act: SessionAct): boolean;
  /** Whether a late request brings a session back. */
  revives: boolean;
  /** When a lease runs out. */
  lapses(session: HubSession): number;
  ends(session: HubSession, state: "closed" | "expired", at: number): void;
  /** Whether the caller may use a session. */
  owns(isTheirs: boolean): boolean;
  /** Whether a list or a read shows a session. */
  lists(isTheirs: boolean, session: HubSession): boolean;
  /** For how many seconds an ended session is kept. */
  keepsEnded: number;
  /** The status for an own session that has ended. */
  gone: 404 | 410;
  /** A session as it is shown. */
  shows(shown: JsonObject, session: HubSession): JsonObject;

  /** Whether agents can write to each other, which the hub publishes. */
  offersMail: boolean;
  /** The refusal of mail for a mailbox with as many entries, which may have as many. */
  fills(entries: number, most: number): HubReply | undefined;
  /** Whether mail beyond that is lost. */
  losesMail: boolean;
  /** The refusal of mail beyond the pace of addressed submits. */
  paces(refusal: HubReply): HubReply;
  /** Whether addressed submits count as others do too. */
  countsMailTwice: boolean;
  /** The refusal of a destination. */
  refuses(refusal: HubReply | undefined, about: MailDestination): HubReply | undefined;
  /** The acknowledgement of a message. */
  accepts(body: JsonObject, message: JsonObject): JsonObject;
  /** The state of a destination that the sender may see. */
  reaches(state: "online" | "offline" | "unknown", isOwn: boolean): "online" | "offline" | "unknown";
  /** The mailbox track that a read shows. */
  tracks(track: JsonObject, mail: Mail): JsonObject | undefined;

  /** Whose mailbox is drained. */
  mailbox(principal: string, query: URLSearchParams): string;
  /** Whether an entry goes to a drain by this session, or by none. */
  brings(isFor: boolean, entry: MailEntry, session: string | undefined): boolean;
  /** The order of the entries of an answer. */
  sorts(entries: MailEntry[]): MailEntry[];
  batch(asked: number): number;
  waits: boolean;
  /** Milliseconds for which a claimed entry is hidden. */
  hides(milliseconds: number): number;
  /** Marks an entry as claimed. */
  claims(mail: Mail, now: number): void;
  /** An entry as a stream brings it; absent: it brings none. */
  streams(entry: JsonObject): JsonObject | undefined;
  /** Whether a stream hides an entry for a while. */
  hidesStreamed: boolean;
  /** Whether a streamed entry counts as delivered. */
  provesByStream: boolean;
  /** The end of a stream, by the hub's clock, given when it has to end at the latest, and when its lease ends. */
  holdsUntil(latest: number, leaseEnd: number): number;
  /** Whether an open stream renews its lease. */
  renewsStreaming: boolean;
  /** Whether an entry goes to the webhook of its agent. */
  webhooks(entry: MailEntry): boolean;
  /** The body that a webhook gets. */
  webhookBody(payload: JsonObject, signature: string): JsonObject;
  /** Whether a webhook gets the signature. */
  signsWebhooks: boolean;
  /** Whether an entry is tried again after an answer with this status, or none. */
  retriesWebhook(status: number | undefined, attempts: number): boolean;
  /** Whether the destination of a webhook is judged as that of a callback. */
  guardsWebhooks: boolean;
  followsWebhooks: boolean;
  /** Whether pending webhooks survive a restart. */
  resumesWebhooks: boolean;
  /** The state of mail after a webhook got it, or refused it. */
  webhooked(mail: Mail, isAccepted: boolean, now: number): void;
  /** Whether an acknowledgment with these keys is about an entry. */
  names(keys: readonly string[], entry: MailEntry): boolean;
  /** Whether an entry is acknowledged by this session, or by none. */
  takes(isPresented: boolean, entry: MailEntry, session: string | undefined): boolean;
  /** Whether the mailbox of someone else is looked into as well. */
  takesFromOthers: boolean;
  /** The payload of an entry. */
  hands(payload: JsonObject, entry: MailEntry): JsonObject;
  stamp(fresh: Stamp, entry: MailEntry): Stamp;
  /** The members that are signed. */
  signs(context: JsonObject, entry: MailEntry): JsonObject;
  /** Whether the session has an outcome coming. */
  answers(isAlive: boolean): boolean;
  /** Whether the session has a receipt coming. */
  receives(isAlive: boolean): boolean;
  /** Whether the acknowledgment of an entry acknowledges the outcome in it. */
  acknowledgesOutcomes: boolean;

  /** The state of mail that is not drained at its deadline. */
  expires(mail: Mail): Mail["state"];
  /** The author of a directive, given the person and the claim. */
  authors(person: string, claimed: string | undefined): string;
  /** Why a directive is refused. */
  refusesDirective(refusal: HubReply | undefined): HubReply | undefined;
  /** Whether an entry is past its deadline. */
  isLate(isPast: boolean, entry: MailEntry): boolean;
  /** Whether the note of an acknowledgment is kept. */
  keepsNotes: boolean;
  /** Whether a directive reads as a message. */
  readsDirectives: boolean;
  /** Whether directives for a session bounce with it. */
  bouncesDirectives: boolean;

  /** Whether a session says that the person closed it. */
  marks(isStopped: boolean, session: HubSession): boolean;
  /** Whether the person may close a session that has ended. */
  closesEnded: boolean;
  /** The code of a refusal for a session that the person closed. */
  stoppedCode: "session_closed_by_operator" | "gone";
  /** Whether a stopped agent is kept from registering. */
  stops: boolean;
  /** Whether an agent that closes a session lifts its stop. */
  liftsAtClose: boolean;
  /** Whether the person sees and closes the sessions of the account. */
  personActs: boolean;

  /** Whether a request shows that its agent is there. */
  sees(act: SeenAct): boolean;
  /** For how many milliseconds an agent counts as seen. */
  freshness: number;
  /** Whether the caller learns of the presence of an agent. */
  tellsPresence(isPerson: boolean): boolean;
  /** The time at which an agent was last seen by its sessions. */
  reachedAt(bySession: number, seen: number | undefined): number;

  /** Whether an odd number of entries is refused that a drain asks for. */
  refusesOddBatch: boolean;
  /** The count in the answer to an acknowledgment. */
  counts(consumed: number, named: number): number;
  /** Whether a close is answered with the session. */
  showsClosed: boolean;
  /** Whether a refused message renews the lease of its session. */
  renewsRefused: boolean;
  /** Whether an agent may be known by its address: not one of another account. */
  knows(isOfAccount: boolean): boolean;
  /** Whether presence shows that an agent of another account exists. */
  deniesForeign: boolean;
  /** Whether an agent is refused that its addressee does not list. */
  blocks(isListed: boolean): HubReply | undefined;
  /** Whether an agent with a # in its id has an address. */
  addressesHash: boolean;
  /** Milliseconds between the look at a stop and the registration. */
  hesitates: number;
  /** Milliseconds for which mail is kept that is not acknowledged. */
  keepsMail: number;
  /** The state of mail that was kept for as long. */
  retires(mail: Mail): "expired" | "bounced";
  /** Whether mail that retires ends its message. */
  endsRetired: boolean;
  /** The session that a receipt for such mail names; absent without a receipt. */
  retiredFor(mail: Mail): string | undefined;
  /** Whether an outcome that was not fetched for as long as it is kept has expired, by the minor of its version. */
  expiresOutcome(minor: number): boolean;
  /** Whether mail stays as it is. */
  isFinal({ state }: Mail): boolean;
  /** Whether a deadline came before the end of the session. */
  isFirst(isBefore: boolean): boolean;
  /** Whether mail that bounces ends its message. */
  endsWithMail(isOpen: boolean): boolean;
  /** Whether an outcome whose session has ended is withdrawn. */
  withdrawsOutcomes: boolean;
  /** Changes sessions and mail at a restart. */
  restarts(post: Post): void;
  bounces(isDue: boolean, about: { addressee: { session?: string }; mail: Mail; post: Post }): boolean;
  /** How a message ends that cannot be delivered; absent: it stays open. */
  ending?: (outcome: MessageOutcome, entry: StoredMessage) => MessageOutcome;
  receipt(payload: JsonObject): JsonObject;
}

export const published = {
  ttl: { min: 2, max: 43_200, usual: 600 },
  live: 16,
  batch: 32,
  visibility: 5,
  freshness: 90,
  kept: 86_400,
  /** Days for which mail is kept. */
  retentionDays: 1,
  /** Seconds for which a stream is held. */
  hold: 3,
  /** Milliseconds between the end of a stream and that of its lease. */
  margin: 500,
};

/** The answer to a message for an agent that its sender cannot know. */
export const unknownDestination: HubReply = {
  status: 422,
  body: { error: { code: "unknown_destination", message: "/to names no agent" } },
};

/** Decides everything as the protocol says. */
export const rightPost: PostDecisions = {
  offersMail: true,
  registers: (session) => session,
  readsRegistration: true,
  lease: (within) => within,
  mostLive: published.live,
  renews: (act) => act !== "read" && act !== "drain without session",
  revives: false,
  lapses: ({ expiresAt }) => expiresAt,
  ends(session, state, at) {
    if (session.state === "active") Object.assign(session, { state, endedAt: at });
  },
  owns: (isTheirs) => isTheirs,
  lists: (isTheirs) => isTheirs,
  keepsEnded: published.kept,
  gone: 410,
  shows: (shown) => shown,

  fills: () => undefined,
  losesMail: false,
  paces: (refusal) => refusal,
  countsMailTwice: false,
  refuses: (refusal) => refusal,
  accepts: (body) => body,
  reaches: (state, isOwn) => (isOwn ? state : "unknown"),
  tracks: (track) => track,

  mailbox: (principal) => principal,
  brings: (isFor) => isFor,
  sorts: (entries) => entries.sort((one, other) => one.at - other.at),
  batch: (asked) => asked,
  waits: true,
  hides: (milliseconds) => milliseconds,
  claims(mail, now) {
    if (mail.state === "queued") mail.state = "delivered";
    mail.deliveredAt ??= now;
  },
  streams: (entry) => entry,
  hidesStreamed: true,
  provesByStream: false,
  holdsUntil: (latest, leaseEnd) => Math.min(latest, leaseEnd - published.margin),
  renewsStreaming: false,
  webhooks: ({ kind }) => kind === "directive",
  webhookBody: (payload) => payload,
  signsWebhooks: true,
  retriesWebhook: (status) => status === undefined || status >= 500,
  guardsWebhooks: true,
  followsWebhooks: false,
  resumesWebhooks: true,
  webhooked(mail, isAccepted, now) {
    if (isAccepted) rightPost.claims(mail, now);
  },
  names: (keys, { key }) => keys.includes(key),
  takes: (isPresented) => isPresented,
  takesFromOthers: false,
  hands: (payload) => payload,
  stamp: (fresh) => fresh,
  signs: (context) => context,
  answers: (isAlive) => isAlive,
  receives: (isAlive) => isAlive,
  acknowledgesOutcomes: true,

  expires: ({ state }) => (state === "queued" ? "expired" : state),
  authors: (person) => person,
  refusesDirective: (refusal) => refusal,
  isLate: (isPast) => isPast,
  keepsNotes: true,
  readsDirectives: false,
  bouncesDirectives: true,

  marks: (isStopped) => isStopped,
  closesEnded: false,
  stoppedCode: "session_closed_by_operator",
  stops: true,
  liftsAtClose: false,
  personActs: true,

  sees: (act) => act === "drain" || act === "stream" || act === "waiting read",
  freshness: published.freshness * 1000,
  tellsPresence: (isPerson) => isPerson,
  reachedAt: (bySession) => bySession,

  refusesOddBatch: false,
  counts: (consumed) => consumed,
  showsClosed: true,
  renewsRefused: false,
  knows: (isOfAccount) => isOfAccount,
  deniesForeign: true,
  blocks: (isListed) => (isListed ? undefined : unknownDestination),
  addressesHash: false,
  hesitates: 0,
  keepsMail: published.retentionDays * 86_400_000,
  retires: ({ state }) => (state === "queued" ? "expired" : "bounced"),
  endsRetired: true,
  retiredFor: ({ state, claimedBy }) => (state === "delivered" ? claimedBy : undefined),
  expiresOutcome: (minor) => minor >= 5,

  isFinal: ({ state }) => state !== "queued" && state !== "delivered",
  isFirst: (isBefore) => isBefore,
  endsWithMail: (isOpen) => isOpen,
  withdrawsOutcomes: false,
  restarts() {},
  bounces: (isDue) => isDue,
  ending: (outcome) => outcome,
  receipt: (payload) => payload,
};
