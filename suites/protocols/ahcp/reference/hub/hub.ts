import type { Json, JsonObject, Judge, Protocol, Reason, Refusal } from "../../../../../schemas/index.ts";
import type { Clock } from "./clock.ts";
import type { Happening, Journal } from "./journal.ts";
import type { Log } from "./log.ts";
import type { HubReply } from "./reply.ts";
import type { HubLimits, HubSettings } from "./settings.ts";
import type { Store, StoredMessage } from "./store.ts";

/** The functions of an operator, by their names. */
export type Operations = Readonly<
  Record<string, (hub: RunningHub, input: JsonObject) => Promise<JsonObject> | JsonObject>
>;

/** A running hub. Its memory is in `store`, which only events change. */
export interface RunningHub {
  settings: HubSettings;
  limits: HubLimits;
  policy: HubPolicy;
  /** Operations of a protocol that extends this one. */
  extraOperations?: Operations | undefined;
  protocol: Protocol;
  judge: Judge;
  clock: Clock;
  journal: Journal;
  log: Log;
  /** Replaced at a restart. */
  store: Store;
  /** The requests that wait for a change of a message, by its id. */
  waiting: Map<string, Set<() => void>>;
  /** The times of the submits in the last minute, by agent. */
  submits: Map<string, number[]>;
  /** Answers of a name service that the operator installed; each is used once, except for the last. */
  names: Map<string, (readonly string[])[]>;
  vault: ReadonlyMap<string, string>;
  /** The private key of the hub's own signatures, in hex. */
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

/** An attempt at delivery that is about to be made. */
export interface Attempt {
  entry: StoredMessage;
  url: string;
  /** 1 for the first. */
  number: number;
}

/** The kind of a reply, and the request that it answers. */
export interface ReplySubject {
  route: "submit" | "replay" | "read" | "cancel" | "capability" | "refusal";
  hub: RunningHub;
  entry?: StoredMessage;
  /** The id for which nothing was found. */
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

/** The reply of a callback: a status, or none if no answer came. */
export type Echo = number | undefined;

/** The decisions of a hub. A variant overrides some of them; the others follow the protocol. */
export interface HubPolicy {
  /** Changes every answer just before it is sent. */
  reply(reply: HubReply, about: ReplySubject): HubReply;

  /** Whether the credential of one agent admits a message of this agent. */
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
  ownKey(hub: RunningHub): Signing["key"];
  /** The refusal of the sender, checked before the schema. */
  refuseSender(value: Json, principal: string | undefined, hub: RunningHub): Refusal | undefined;
  /** The refusal of the version, checked before the schema. */
  refuseVersion(value: Json): Refusal | undefined;
  /** Whether a message of this version may ask for a push. */
  mayAskForPush(version: string, type: string): boolean;
  /** The size of a text, as limits count it. */
  sizeOf(text: string): number;
  /** The hub's own reasons to refuse a message that its schema allows. */
  refuseContent(message: JsonObject, hub: RunningHub): HubReply | undefined;
  /** Whether the hub refuses a message for this violation of a semantic rule. */
  enforcesReason(reason: Reason): boolean;
  /** The key under which a message is remembered, to recognize a repetition. */
  keyOf(message: JsonObject): string | undefined;
  isSame(message: JsonObject, entry: StoredMessage): boolean;
  /** Whether the key of an accepted message is still known. */
  knowsKeyOf(entry: StoredMessage, now: number): boolean;
  /** Whether a refused message uses up its key. */
  usesUpKeyOnRefusal: boolean;
  /** Whether the hub notices a message with the same key that was accepted while this one was checked. */
  noticesRace(isSame: boolean): boolean;
  /** Whether a repetition is recognized before its deadline is checked. */
  replaysFirst: boolean;
  isDeadlineAhead(deadline: string, now: number, message: JsonObject): boolean;
  idFor(message: JsonObject, hub: RunningHub): string;

  /** The time at which a message expires; undefined for never. */
  deadline(message: JsonObject, acceptedAt: number): number | undefined;
  /** The milliseconds after a deadline before this action notices the expiry. */
  grace(act: HubAct): number;
  /** The time of an expiry in a Response: the deadline, or the time when the hub notices it. */
  expiredAt(deadline: number, now: number): number;
  /** The real milliseconds between a deadline on the hub's clock and its sweep. */
  sweepDelay: number;
  /** The days for which an ended message is stored, given the published number. */
  retention(publishedDays: number): number;
  /** The answer that applies at the deadline. */
  defaultAnswer(message: JsonObject): Json | undefined;
  mayEndAgain(entry: StoredMessage, outcome: MessageOutcome): boolean;
  /** Runs between checking a message and changing it. */
  gap?(act: "submit" | "resolve" | "cancel", hub: RunningHub, entry?: StoredMessage): Promise<void> | undefined;

  /** The outcomes that a resolver may choose. */
  outcomesFor(type: string): readonly string[];
  /** The resolver as the hub knows it; `input` is the whole request. */
  identifyResolver(actor: string, input: JsonObject): string;
  /** The actor named in the Response; `actor` is the resolver. */
  nameActor(actor: string, input: JsonObject): string;
  mayResolve(actor: string, entry: StoredMessage): boolean;
  permitsOutcome(message: JsonObject, resolution: string): boolean;
  /** The code of the refusal of an outcome that the message does not permit. */
  codeOfForbiddenOutcome: "invalid_field" | "not_authorized";
  /** The outcome that the hub records for the resolution that a resolver sends. */
  recordedOutcome(resolution: string, message: JsonObject): string;
  /** Whether a late resolver gets the existing outcome instead of a refusal. */
  givesOutcomeToLate: boolean;
  checksAnswer(request: JsonObject, outcome: MessageOutcome): boolean;
  afterRefusal(entry: StoredMessage, outcome: MessageOutcome, hub: RunningHub): void;
  canCancel(entry: StoredMessage): boolean;
  /** Whether a cancellation may come with a body. */
  readsCancelBody: boolean;

  /** The stored form of a Response. */
  envelope(envelope: JsonObject, entry: StoredMessage, hub: RunningHub): JsonObject | undefined;
  /** The members of a message that a read shows. */
  shownMembers(message: JsonObject, entry: StoredMessage): JsonObject;
  /** The seconds for which a read waits; `text` is its request. */
  secondsToWait(seconds: number, text: string | undefined): number;
  /** The maximum number of waiting reads that a change wakes. */
  readsToWake(happening: Happening): number;
  /** Whether a message is unchanged since a time; undefined if the query contains no time. */
  isUnchanged(entry: StoredMessage, since: number | undefined): boolean;
  /** The recorded form of an event; undefined if it is not recorded. */
  recordedEvent(happening: Happening, hub: RunningHub): Happening | undefined;
  /** Whether pending pushes continue after a restart. */
  resumesPushes: boolean;
  /** Whether deadlines are watched again after a restart, instead of only checked at reads. */
  watchesDeadlinesAfterRestart: boolean;
  /** A side effect of showing a message to a resolver. */
  onView(message: JsonObject): void;
  /** Further members of the message that a resolver is shown. */
  extraViewMembers(message: JsonObject): JsonObject;
  loggedContent(message: JsonObject): Json | undefined;

  /** The number of open messages that count for this agent. */
  openFor(agent: string, store: Store): number;

  /** The callback of a pushed message; undefined if it is not pushed. */
  callbackOf(entry: StoredMessage, hub: RunningHub): JsonObject | undefined;
  /** The key that signs pushes to a callback; undefined if there is none, and no push. */
  keyFor(callback: JsonObject, hub: RunningHub): Signing["key"] | undefined;
  /** The pushed body. */
  pushBody(envelope: JsonObject, attempt: Attempt): JsonObject;
  /** The digits of the time, and the nonce, of a signature. */
  stamp(now: number, attempt: Attempt): { t: string; jti: string };
  /** Changes the headers of a push just before it is sent; `signing` has the parts of the signature. */
  headers(headers: Record<string, string>, signing: Signing): Record<string, string>;
  /** The signer's output when called directly. */
  sampleSignature(header: string): string;
  pushPath(url: string): string;
  /** The text of a push. */
  pushText(body: JsonObject): string;
  /** The milliseconds between an outcome and its first push. */
  firstPushDelay: number;
  /** Whether these milliseconds pass in real time, instead of by the hub's clock. */
  isFirstDelayReal: boolean;
  /** The milliseconds until the next attempt; undefined to give up. */
  pauseAfter(number: number): number | undefined;
  /** Whether these milliseconds pass in real time, even if the clock is moved meanwhile. */
  arePausesReal: boolean;
  /** Whether the operator's clock says that it does not move pushes. */
  deniesMovingPushes: boolean;
  /** Whether a reply leads to another attempt; `failure` is the code of the error if no answer came. */
  retriesAfter(echo: Echo, failure?: string): boolean;
  followsRedirects: boolean;
  /** Whether a callback host counts as a host of the agent. */
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

/** The parts of a signature. */
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
