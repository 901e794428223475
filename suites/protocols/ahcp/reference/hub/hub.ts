import type { Json, JsonObject, Judge, Protocol, Reason, Refusal } from "../../../../../schemas/index.ts";
import type { Clock } from "./clock.ts";
import type { Happening, Journal } from "./journal.ts";
import type { Log } from "./log.ts";
import type { HubReply } from "./reply.ts";
import type { HubLimits, HubSettings } from "./settings.ts";
import type { Store, StoredMessage } from "./store.ts";

/** A hub at work. Its memory is in `store`, which only events change. */
export interface RunningHub {
  settings: HubSettings;
  limits: HubLimits;
  policy: HubPolicy;
  protocol: Protocol;
  judge: Judge;
  clock: Clock;
  journal: Journal;
  log: Log;
  /** Replaced at a restart. */
  store: Store;
  /** The requests that wait for a change of a message, by its id. */
  waiting: Map<string, Set<() => void>>;
  /** Times of the submits of the last minute, by agent. */
  submits: Map<string, number[]>;
  /** Answers of a name service that the operator put in place, each used once but for the last. */
  names: Map<string, (readonly string[])[]>;
  vault: ReadonlyMap<string, string>;
  /** Private key of the hub's own signatures, in hex. */
  seed: string;
  /** Ends all pending work when the hub closes, or plays a restart. */
  ending: AbortController;
}

/** How a message ends, as far as a resolver says it. */
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
  /** The id under which nothing was found. */
  asked?: string;
  /** The attempted operation on a message that does not exist, or does not belong to this caller. */
  seeking?: "maySee" | "mayCancel";
  /** The caller is not the submitter. */
  isStranger?: boolean;
  /** Why a submit was refused before it was read as a message. */
  refusal?: Refusal;
  /** The read was held before. */
  waited?: boolean;
}

export type HubAct = "resolve" | "cancel" | "read" | "sweep";

/** A reply of a callback: a status, or none if no answer came. */
export type Echo = number | undefined;

/** The points at which a hub decides. A variant overrides some decisions; the other decisions follow the protocol. */
export interface HubPolicy {
  /** Has the last word on every answer. */
  reply(reply: HubReply, about: ReplySubject): HubReply;

  /** Whether the credential of one agent lets a message of this agent in. */
  speaksFor(principal: string, agent: string, message: JsonObject, hub: RunningHub): boolean;
  /** The token that an Authorization header shows. */
  tokenIn(authorization: string): string | undefined;
  /** Whether the value of `X-API-Key` is a key of the hub's. */
  isKey(shown: string, key: string): boolean;
  knows(principal: string | undefined, hub: RunningHub): boolean;
  /** The answer to a stranger that submits this. */
  strange(refusal: HubReply, body: () => Promise<string>): HubReply | Promise<HubReply>;
  maySee(principal: string, entry: StoredMessage, hub: RunningHub): boolean;
  mayCancel(principal: string, entry: StoredMessage, hub: RunningHub): boolean;

  /** Whether discovery asks for no credential. */
  isDiscoveryOpen: boolean;
  /** The key that signs pushes to a callback without a secret. */
  ownKey(hub: RunningHub): Signing["key"];
  /** Judges who a message says that it is from, before its schema is looked at. */
  early(value: Json, principal: string | undefined, hub: RunningHub): Refusal | undefined;
  /** Judges the version before the schema does. */
  version(value: Json): Refusal | undefined;
  /** Whether a message of this version may ask for push. */
  pushes(version: string, type: string): boolean;
  /** Size of a text, as limits count it. */
  sizeOf(text: string): number;
  /** Reasons of the hub's own to refuse a message that its schema allows. */
  objects(message: JsonObject, hub: RunningHub): HubReply | undefined;
  /** Whether an objection of the rules keeps a message out. */
  respects(reason: Reason): boolean;
  /** The key under which a message is remembered, to recognize a repetition. */
  keyOf(message: JsonObject): string | undefined;
  isSame(message: JsonObject, entry: StoredMessage): boolean;
  /** Whether the key of an accepted message is still known. */
  knowsKeyOf(entry: StoredMessage, now: number): boolean;
  /** Whether a key stays used up after its message was refused. */
  consumes: boolean;
  /** Whether a message that came in between under the same key counts, the same one or another. */
  seesRace(isSame: boolean): boolean;
  /** Whether a repetition is known before its deadline is looked at. */
  replaysFirst: boolean;
  isAhead(deadline: string, now: number, message: JsonObject): boolean;
  idFor(message: JsonObject, hub: RunningHub): string;

  /** When a message expires of itself; undefined for never. */
  deadline(message: JsonObject, acceptedAt: number): number | undefined;
  /** Milliseconds after the deadline at which this act notices it. */
  grace(act: HubAct): number;
  /** The time of an expiry in a Response: the deadline, or the moment when it is noticed. */
  expiredAt(deadline: number, now: number): number;
  /** Real milliseconds after a deadline, by the hub's clock, at which a sweep comes by. */
  sweepDelay: number;
  /** Days for which an ended message is kept, given the published number. */
  retention(published: number): number;
  /** The answer that applies at the deadline. */
  fallback(message: JsonObject): Json | undefined;
  mayEndAgain(entry: StoredMessage, outcome: MessageOutcome): boolean;
  /** Comes between looking at a message and changing it. */
  gap?(act: "submit" | "resolve" | "cancel", hub: RunningHub, entry?: StoredMessage): Promise<void> | undefined;

  /** The words that a resolver may end a message with. */
  endings(type: string): readonly string[];
  /** Who resolves, as the hub knows it; `given` is the whole request. */
  identifies(actor: string, given: JsonObject): string;
  /** The actor that the Response names; `actor` is the resolver. */
  attributes(actor: string, given: JsonObject): string;
  mayResolve(actor: string, entry: StoredMessage): boolean;
  permits(message: JsonObject, resolution: string): boolean;
  /** The code of a refusal of an ending that the message does not permit. */
  unpermitted: "invalid_field" | "not_authorized";
  /** The word that a resolver's word is read as. */
  meaning(resolution: string, message: JsonObject): string;
  /** Whether a resolver who comes too late is given the outcome that there is, in place of a refusal. */
  givesOutcomeToLate: boolean;
  checksAnswer(request: JsonObject, outcome: MessageOutcome): boolean;
  afterRefusal(entry: StoredMessage, outcome: MessageOutcome, hub: RunningHub): void;
  canCancel(entry: StoredMessage): boolean;
  /** Whether a cancellation may come with a body. */
  readsCancelBody: boolean;

  /** The Response as it is kept. */
  envelope(envelope: JsonObject, entry: StoredMessage, hub: RunningHub): JsonObject | undefined;
  /** The members that a read shows of a message. */
  echo(message: JsonObject, entry: StoredMessage): JsonObject;
  /** Seconds for which a read waits; `text` is how it asked for them. */
  patience(asked: number, text: string | undefined): number;
  /** How many of the reads that wait for a message are informed, at most, of a change. */
  wakes(happening: Happening): number;
  /** Whether a read that asks for changes since a time finds none; undefined if it is not a time. */
  isUnchanged(entry: StoredMessage, since: number | undefined): boolean;
  /** The recorded form of an event. */
  records(happening: Happening, hub: RunningHub): Happening | undefined;
  /** Whether pushes that were under way go on after a restart. */
  resumes: boolean;
  /** Whether deadlines are watched again after a restart, and not only checked at reads. */
  watchesAgain: boolean;
  /** The side effect of a view for a resolver. */
  viewing(message: JsonObject): void;
  /** Further members of a view. */
  shows(message: JsonObject): JsonObject;
  leaks(message: JsonObject): Json | undefined;

  /** How many open messages count for one of this agent. */
  openFor(agent: string, store: Store): number;

  /** Whether the outcome of a message is pushed, and where to. */
  callbackOf(entry: StoredMessage, hub: RunningHub): JsonObject | undefined;
  /** The key that signs pushes to a callback; undefined if they are not made because there is no key. */
  keyFor(callback: JsonObject, hub: RunningHub): Signing["key"] | undefined;
  /** The body that is pushed. */
  pushed(envelope: JsonObject, attempt: Attempt): JsonObject;
  /** The digits of the time, and the nonce, of a signature. */
  stamp(now: number, attempt: Attempt): { t: string; jti: string };
  /** Makes the last change to the headers of a push; `signing` has the parts of the signature. */
  headers(headers: Record<string, string>, signing: Signing): Record<string, string>;
  /** The signer's output when it is asked to sign by itself. */
  sample(header: string): string;
  target(url: string): string;
  /** The text of a push. */
  written(body: JsonObject): string;
  /** Milliseconds after an outcome at which its first push is made. */
  startsAfter: number;
  /** Whether those are real milliseconds. */
  startsReally: boolean;
  /** Milliseconds until the attempt after this one; undefined to give up. */
  pause(number: number): number | undefined;
  /** Whether those are real milliseconds, however the clock is put meanwhile. */
  pausesReally: boolean;
  /** Whether the operator's clock says that it does not move pushes. */
  saysNoPushes: boolean;
  /** Whether a reply calls for another attempt; `failure` is the code of the error if no answer came. */
  retries(echo: Echo, failure?: string): boolean;
  follows: boolean;
  /** Whether a callback host counts as a host of the agent. */
  isBound(host: string, agent: string, hub: RunningHub): boolean;
  needsBinding: boolean;
  /** The name that a host is bound under. */
  bindingOf(url: URL): string;
  /** Whether the callback of a message goes through these checks at all. */
  guards(message: JsonObject): boolean;
  /** Whether the checks of callbacks can be relaxed in production. */
  relaxes: boolean;
  isPrivate(address: string, when: "submit" | "delivery"): boolean;
  /** Whether a host is looked up once more when it comes to connecting. */
  looksUpAgain: boolean;
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
