import type { Json, JsonObject, Judge, Protocol, Reason, Refusal } from "../../../../../schemas/index.ts";
import type { Clock } from "./clock.ts";
import type { Happening, Journal } from "./journal.ts";
import type { Log } from "./log.ts";
import type { HubReply } from "./reply.ts";
import type { HubLimits, HubSettings } from "./settings.ts";
import type { Store, StoredMessage } from "./store.ts";

/** The operator's functions, by name. */
export type Operations = Readonly<
  Record<string, (hub: RunningHub, input: JsonObject) => Promise<JsonObject> | JsonObject>
>;

/** A running hub. Its memory is in `store`, which only events change. */
export interface RunningHub {
  settings: HubSettings;
  limits: HubLimits;
  policy: HubPolicy;
  /** Operations that a protocol based on AHCP adds. */
  extraOperations?: Operations | undefined;
  protocol: Protocol;
  judge: Judge;
  clock: Clock;
  journal: Journal;
  log: Log;
  /** Replaced at a restart. */
  store: Store;
  /** Functions that wake the reads waiting for a change of a message, by message id. */
  waiting: Map<string, Set<() => void>>;
  /** The times of the submits in the last minute, by agent. */
  submits: Map<string, number[]>;
  /** DNS answers that the operator installed, by host. Each is used once, except for the last. */
  names: Map<string, (readonly string[])[]>;
  vault: ReadonlyMap<string, string>;
  /** The private key of the hub, in hex. It signs pushes to callbacks without a secret. */
  seed: string;
  /** Aborts all pending work when the hub closes, or simulates a restart. */
  ending: AbortController;
}

/** The end of a message, as a resolver chooses it. */
export interface MessageOutcome {
  resolution: string;
  actor: string;
  value?: Json;
  comment?: string;
  checklist?: Json;
}

/** An attempt to push an outcome. */
export interface Attempt {
  entry: StoredMessage;
  url: string;
  /** The number of the attempt, from 1. */
  number: number;
}

/** The route of a reply, and facts about the request that it answers. */
export interface ReplySubject {
  route: "submit" | "replay" | "read" | "cancel" | "capability" | "refusal";
  hub: RunningHub;
  entry?: StoredMessage;
  /** The requested id, if no message has it or the caller may not know of it. */
  missingId?: string;
  /** The attempted operation on a message that does not exist, or does not belong to this caller. */
  seeking?: "maySee" | "mayCancel";
  /** The caller is not the submitter. */
  isStranger?: boolean;
  /** The reason why a submit was refused before it was read as a message. */
  refusal?: Refusal;
  /** The read waited before its answer. */
  hasWaited?: boolean;
}

export type HubAct = "resolve" | "cancel" | "read" | "sweep";

/** The status that a callback answered; undefined if no answer arrived. */
export type CallbackStatus = number | undefined;

/** The decisions of a hub. A variant overrides some of them; all others follow the protocol. */
export interface HubPolicy {
  /** Changes every answer just before it is sent. */
  reply(reply: HubReply, subject: ReplySubject): HubReply;

  /** Whether `principal`, the agent of the credential, may submit a message of `agent`. */
  speaksFor(principal: string, agent: string, message: JsonObject, hub: RunningHub): boolean;
  /** The token in an Authorization header. */
  tokenIn(authorization: string): string | undefined;
  /** Whether the value of `X-API-Key` is this key. */
  isKey(value: string, key: string): boolean;
  admitsCaller(principal: string | undefined, hub: RunningHub): boolean;
  /** The answer to an unknown caller: `refusal` is the default one, and `body` reads the request. */
  replyToUnknownCaller(refusal: HubReply, body: () => Promise<string>): HubReply | Promise<HubReply>;
  maySee(principal: string, entry: StoredMessage, hub: RunningHub): boolean;
  mayCancel(principal: string, entry: StoredMessage, hub: RunningHub): boolean;

  /** Whether discovery requires no credential. */
  isDiscoveryOpen: boolean;
  /** The key that signs pushes to a callback without a secret. */
  hubKey(hub: RunningHub): Signing["key"];
  /** Refuses a message for its sender, before the schema is checked. */
  refuseSender(value: Json, principal: string | undefined, hub: RunningHub): Refusal | undefined;
  /** Refuses a message for its version, before the schema is checked. */
  refuseVersion(value: Json): Refusal | undefined;
  /** Whether a message of this version may ask for a push. */
  mayAskForPush(version: string, type: string): boolean;
  /** The size of a string, as limits count it. */
  sizeOf(text: string): number;
  /** Refuses a message that the schema allows, for the hub's own reasons. */
  refuseContent(message: JsonObject, hub: RunningHub): HubReply | undefined;
  /** Whether the hub refuses a message for this violation of a semantic rule. */
  enforcesReason(reason: Reason): boolean;
  /** The key that recognizes a repetition of the message; undefined if none does. */
  keyOf(message: JsonObject): string | undefined;
  isSame(message: JsonObject, entry: StoredMessage): boolean;
  /** Whether the key of an accepted message is still known. */
  knowsKeyOf(entry: StoredMessage, now: number): boolean;
  /** Whether a refused message uses up its key. */
  usesUpKeyOnRefusal: boolean;
  /** Whether the hub notices that it accepted a message with the same key while it checked this one. */
  noticesRace(isSame: boolean): boolean;
  /** Whether a repetition is recognized before its deadline is checked. */
  replaysFirst: boolean;
  isDeadlineAhead(deadline: string, now: number, message: JsonObject): boolean;
  idFor(message: JsonObject, hub: RunningHub): string;

  /** The time at which a message expires; undefined for never. */
  deadline(message: JsonObject, acceptedAt: number): number | undefined;
  /** How many milliseconds after the deadline this action still treats the message as open. */
  grace(act: HubAct): number;
  /** The time of an expiry in a Response: the deadline, or the time when the hub notices it. */
  expiredAt(deadline: number, now: number): number;
  /** The real milliseconds between a deadline on the hub's clock and the sweep that ends the message. */
  sweepDelay: number;
  /** The days for which an ended message is stored. `publishedDays` is the number in the capability document. */
  retention(publishedDays: number): number;
  /** The answer to apply at the deadline; undefined for none. */
  defaultAnswer(message: JsonObject): Json | undefined;
  mayEndAgain(entry: StoredMessage, outcome: MessageOutcome): boolean;
  /** Delays the hub between the check of a message and its change, so that races can happen. */
  gap?(act: "submit" | "resolve" | "cancel", hub: RunningHub, entry?: StoredMessage): Promise<void> | undefined;

  /** The outcomes that a resolver may choose. */
  outcomesFor(type: string): readonly string[];
  /** The resolver to authorize. `input` is the whole request. */
  identifyResolver(actor: string, input: JsonObject): string;
  /** The actor to name in the Response. `actor` is the authorized resolver. */
  nameActor(actor: string, input: JsonObject): string;
  mayResolve(actor: string, entry: StoredMessage): boolean;
  permitsOutcome(message: JsonObject, resolution: string): boolean;
  /** The error code for an outcome that the message does not permit. */
  codeOfForbiddenOutcome: "invalid_field" | "not_authorized";
  /** The outcome that the hub records for the resolution that a resolver sends. */
  recordedOutcome(resolution: string, message: JsonObject): string;
  /** Whether a late resolver gets the existing outcome instead of a refusal. */
  givesOutcomeToLate: boolean;
  checksAnswer(request: JsonObject, outcome: MessageOutcome): boolean;
  afterRefusal(entry: StoredMessage, outcome: MessageOutcome, hub: RunningHub): void;
  canCancel(entry: StoredMessage): boolean;
  /** Whether a cancellation may have a body. */
  readsCancelBody: boolean;

  /** The Response to store and push; undefined for none. */
  envelope(envelope: JsonObject, entry: StoredMessage, hub: RunningHub): JsonObject | undefined;
  /** The members of a message that a read shows. */
  shownMembers(message: JsonObject, entry: StoredMessage): JsonObject;
  /** The seconds for which a read waits. `text` is the raw query parameter. */
  secondsToWait(seconds: number, text: string | undefined): number;
  /** The maximum number of waiting reads that a change wakes. */
  readsToWake(happening: Happening): number;
  /** Whether the message has not changed since this time. `since` is undefined if the query has no valid time. */
  isUnchanged(entry: StoredMessage, since: number | undefined): boolean;
  /** The event to write into the journal; undefined for none. */
  recordedEvent(happening: Happening, hub: RunningHub): Happening | undefined;
  /** Whether pending pushes continue after a restart. */
  resumesPushes: boolean;
  /** Whether timers watch deadlines again after a restart. Otherwise, only reads notice them. */
  watchesDeadlinesAfterRestart: boolean;
  /** Runs when a resolver views a message. */
  onView(message: JsonObject): void;
  /** Additional members to show to a resolver. */
  extraViewMembers(message: JsonObject): JsonObject;
  loggedContent(message: JsonObject): Json | undefined;

  /** The number of open messages that count for this agent. */
  openCountFor(agent: string, store: Store): number;

  /** The callback to push the outcome to; undefined for no push. */
  callbackOf(entry: StoredMessage, hub: RunningHub): JsonObject | undefined;
  /** The key that signs pushes to a callback. Without one, nothing is pushed. */
  keyFor(callback: JsonObject, hub: RunningHub): Signing["key"] | undefined;
  /** The body to push. */
  pushBody(envelope: JsonObject, attempt: Attempt): JsonObject;
  /** The time (as digits) and the nonce of a signature. */
  stamp(now: number, attempt: Attempt): { t: string; jti: string };
  /** Changes the headers of a push just before it is sent. `signing` contains the inputs of the signature. */
  headers(headers: Record<string, string>, signing: Signing): Record<string, string>;
  /** The output of the signer when the operator calls it directly. */
  sampleSignature(header: string): string;
  pushPath(url: string): string;
  /** The serialized body of a push. */
  pushText(body: JsonObject): string;
  /** The delay of the first push after the outcome, in milliseconds. */
  firstPushDelay: number;
  /** Whether this delay is in real time, not by the hub's clock. */
  isFirstDelayReal: boolean;
  /** The milliseconds until the next attempt; undefined to give up. */
  pauseAfter(number: number): number | undefined;
  /** Whether these pauses are in real time, not by the hub's clock. */
  arePausesReal: boolean;
  /** Whether the clock hook declares that moving the clock does not move pushes. */
  deniesMovingPushes: boolean;
  /** Whether the hub tries again after this status. `failure` is the code of the error if no answer arrived. */
  retriesAfter(echo: CallbackStatus, failure?: string): boolean;
  followsRedirects: boolean;
  /** Whether this host is bound to the agent. */
  isBound(host: string, agent: string, hub: RunningHub): boolean;
  needsBinding: boolean;
  /** The name under which a host is bound. */
  bindingOf(url: URL): string;
  /** Whether the callback of a message is checked at all. */
  checksCallback(message: JsonObject): boolean;
  /** Whether the checks of callbacks can be relaxed in production. */
  canRelaxChecks: boolean;
  isPrivate(address: string, moment: "submit" | "delivery"): boolean;
  /** Whether a host is looked up again before connecting. */
  repeatsLookup: boolean;
}

/** The inputs of a signature, and the push that it signs. */
export interface Signing {
  ahcpSignature: typeof import("../../rules/signature.ts");
  body: JsonObject;
  url: string;
  stamp: { t: string; jti: string };
  key: { alg: "hmac-sha256"; secret: string } | { alg: "ed25519"; seed: string };
  attempt: Attempt;
  callback: JsonObject;
  hub: RunningHub;
}
