import type { Json, JsonObject, Protocol } from "../../../../../schemas/index.ts";
import type { ProducerClock, Timer } from "./clock.ts";

/** Whether a value is valid as the named document. */
export type IsValidDocument = (document: string, value: Json) => boolean;

/** The connection of a subscription, which sends events and can be ended. */
export interface EventOutlet {
  send(message: JsonObject): void;
  end(): void;
}

export interface DeliveryTerms {
  /** The limit of events per second, which does not apply to critical ones. Absent means no limit. */
  rate?: number;
  include: readonly string[];
  exclude: readonly string[];
  languages: readonly string[];
  confirms: boolean;
  clarifies: boolean;
}

/** A subscription. If it has no outlet, its connection is lost or closed. */
export interface Subscription {
  id: string;
  owner: string | undefined;
  /** The subscriber's name for itself. */
  subscriber?: Json | undefined;
  capabilities: JsonObject;
  terms: DeliveryTerms;
  outlet?: EventOutlet;
  /** Set while the producer waits for the connection to be opened. */
  isExpected?: true;
  /** The outlet of a closed subscription that still receives events. */
  leftOpen?: EventOutlet;
  /** Whether the subscription is still listed, without a connection. */
  isStillListed?: boolean;
  /** The number of events that the rate allowed at the time `since`. */
  budget: { tokens: number; since: number };
  /** Events that the rate holds back, joined if possible. */
  heldEvents: JsonObject[];
  stopDraining?: () => void;
}

export interface ProducerQuestion {
  event: JsonObject;
  session: ProducerSession;
  deadline: number;
  isOpen: boolean;
  /** Set if another question was open when this one was settled, for policies that depend on it. */
  hadCompetitor?: true;
  /** The answer that settled the question; absent after a timeout. */
  answer?: JsonObject;
  /** Settles the question; without an answer it has timed out. */
  settle(answer: JsonObject | undefined): void;
}

export interface ProducerSession {
  id: string;
  events: JsonObject[];
  /** Whether the session has ended, so that pending work stops. */
  hasEnded: boolean;
  language?: string;
}

/** An action that was carried out. */
export interface Effect {
  session_id: string;
  tool: string;
  at: string;
}

/** A reason to ignore a reply. */
export type Objection =
  | "authentication"
  | "schema"
  | "unknown"
  | "kind"
  | "used"
  | "expired"
  | "stamp"
  | "allowed"
  | "response"
  | "entitlement"
  | "owner";

/** The decisions of a producer. A variant overrides some of them; all others follow the protocol. */
export interface ProducerPolicy {
  /** Changes an event just before it is sent. */
  changeEvent(event: JsonObject, producer: Producer): JsonObject;
  /** Whether an objection invalidates a reply. */
  respects(objection: Objection, reply: JsonObject, producer: Producer): boolean;
  /** Called for an ignored reply to a known question. */
  onIgnoredReply(question: ProducerQuestion, reply: JsonObject): void;
  /** Whether it carries out an acceptance with a used token, given the decision that arrived first. */
  overrules(decision: unknown): boolean;
  /** Whether each reply settles the latest question, regardless of its token. */
  settlesLatestQuestion: boolean;
  /** Whether it ignores all replies as long as one of its subscribers cannot reply. */
  needsRepliesFromAll: boolean;
  /** Whether a reply to one question also settles another one. */
  alsoSettles(question: ProducerQuestion, otherQuestion: ProducerQuestion, producer: Producer): boolean;
  /** The status and body for a reply that does not count. */
  answerTo(objection: Objection): { status: number; body?: JsonObject };
  /** Whether it proceeds after this answer to a confirmation. */
  hasConsent(question: ProducerQuestion, answer: JsonObject | undefined): boolean;
  asksForConsent(session: ProducerSession): boolean;
  /** Whether this subscription also receives questions. */
  getsQuestions(subscription: Subscription): boolean;
  /** Whether it does the work too early, at this moment. */
  actsEarly(moment: "asking" | "invoking" | "announcing"): boolean;
  /** Whether it carries out a rejected action without announcing it. */
  actsDespiteRejection: boolean;
  /** Milliseconds after which it carries out a rejected action anyway; undefined means never. */
  rejectedActionDelay: number | undefined;
  /** How many times it carries out an action that was accepted once. */
  effectsPerAcceptance: number;
  /** Milliseconds after which a question expires; undefined means never. */
  timeoutOf(question: ProducerQuestion, milliseconds: number): number | undefined;
  /** Whether the default is applied when the last subscriber that can answer leaves in this way. */
  appliesDefaultOn(leaving: "close" | "loss" | "mute"): boolean;
  /** Whether it waits for the answer to a clarification. */
  waitsForClarification: boolean;
  /** Whether it continues after this answer, or after the question has expired. */
  continuesAfter(question: ProducerQuestion, answer: JsonObject | undefined): boolean;
  /** Whether it withdraws its questions when their session is cancelled or their action is dropped. */
  withdrawsQuestions(reason: "cancel" | "drop", producer: Producer): boolean;
  announcesDrop: boolean;
  completesAbortedCall: boolean;
  /** Whether a subscription receives the events that follow a question. */
  sendsAfterQuestion(subscription: Subscription): boolean;

  /** Changes the answer to a request for a subscription. Undefined means no answer. */
  changeHandshake(request: JsonObject, answer: JsonObject, producer: Producer): JsonObject | undefined;
  mergeCapabilities(before: JsonObject, change: JsonObject): JsonObject;
  /** Changes the answer to a renegotiation. Undefined means no answer. */
  changeRenegotiation(answer: JsonObject): JsonObject | undefined;
  appliesNewTerms: boolean;
  /** Whether a subscription receives an event, given whether its filters include it. */
  delivers(subscription: Subscription, event: JsonObject, isWanted: boolean): boolean;
  /** Whether an event is held back by the rate. */
  isThrottled(subscription: Subscription, event: JsonObject): boolean;
  /** Whether chunks of output beyond the rate are joined. */
  joinsChunks: boolean;
  /** The rate at which a subscription is served. */
  rateFor(subscription: Subscription, subscriptions: readonly Subscription[]): number | undefined;
  /** The number of events that a rate allows in one burst. */
  burstSize(rate: number): number;
  /** Milliseconds during which a subscription without an open connection counts as able to answer. */
  streamGrace: number;
  /** Whether a subscription disappears from the operator's list after it has left. */
  unlistsAfter(leaving: "close" | "loss"): boolean;
  /** Whether a change of terms lets open questions end with their defaults. */
  appliesDefaultsOnChange: boolean;
  /** Whether a subscription outlives its connection, and can be resumed. */
  survivesConnection: boolean;
  /** Whether the close of a subscription ends all others as well. */
  closesAllSubscriptions: boolean;
  /** Whether a closed subscription still receives events. */
  sendsAfterClose: boolean;
  chooseLanguage(requestedTags: readonly string[], available: readonly string[]): string;
  /** Makes the copy of an event for a subscription. */
  tailorEvent(event: JsonObject, subscription: Subscription): JsonObject;

  /** Whether an objection prevents a subscription. */
  rejectsFor(reason: "version" | "signature" | "collision" | "language"): boolean;
  /** The HTTP status of a rejection. */
  rejectionStatus: number;
  /** Whether a client requests a subscription first, instead of just listening. */
  shakesHands: boolean;
  paths: { subscriptions: string; events: string; replies: string };
  /** Formats a server-sent event with this data. */
  writeServerSentEvent(data: string, message: JsonObject): string;
  /** The events that it sends while it waits for an answer. */
  whileWaiting(prefix: "confirmation" | "clarification"): readonly (readonly [name: string, payload: JsonObject])[];
  /** Whether the state changes after a question for consent, and not before. */
  asksBeforeWaiting: boolean;
  /** Whether it carries out an accepted action. */
  carriesOut(answer: JsonObject | undefined): boolean;
  /** Whether an accepted action turns out to be impossible, so that the session fails. */
  failsAcceptedAction: boolean;
  changeManifest(manifest: JsonObject): JsonObject | undefined;
  /** The path of the manifest. */
  manifestPath: string;
  /** The events for a subscription that reconnects during a session. */
  resumesWith:
    | "what was missed"
    | "the state"
    | "the last state"
    | "everything"
    | "all but the first"
    | "all but questions"
    | "its session"
    | "nothing";
  /** The largest message that it accepts, in bytes. */
  maxMessageBytes: number;
  mayRead(principal: string | undefined, subscription: Subscription): boolean;
  /** Whether this caller may close a subscription or change its terms. */
  mayChange(principal: string | undefined, subscription: Subscription): boolean;
  admitsStrangers: boolean;
  /** Splits the text of an event into the frames of a stream. */
  framesOf(text: string, event: JsonObject): string[];
  /** Changes the bytes of a frame that is sent over the socket. */
  changeSocketFrame(frame: Buffer): Buffer;
  /** Formats a message as a line on standard output. */
  writeLine(message: object): string;
  /** Whether it names the subprotocol that it speaks over WebSocket. */
  namesProtocol: boolean;
  createdResponse: { status: number; location: boolean };
  receivesReplies: boolean;

  /** Milliseconds that an action lasts. */
  actionDuration: number;
  /** Whether moving the clock forward moves timers of this kind; other timers follow the wall clock. */
  movesTimer(timer: Timer): boolean;
  /** Whether the headers of a stream are sent before there is an event. */
  flushesHeaders: boolean;
  /** The earlier events that a new subscription receives. */
  repeatsEarlierEvents: false | "its own events" | "questions of others too";
  /** Whether answers are sent byte by byte, and events are cut into pieces at arbitrary places. */
  sendsInPieces: boolean;
  /** Milliseconds without traffic after which an HTTP connection is closed. */
  idleTimeout: number;
}

export interface Producer {
  protocol: Protocol;
  clock: ProducerClock;
  policy: ProducerPolicy;
  /** Address of its manifest. */
  manifestUri: string;
  /** The permitted callers, by their tokens; if it is empty, every caller is permitted. */
  principals: ReadonlyMap<string, string>;
  subscriptions: Map<string, Subscription>;
  sessions: Map<string, ProducerSession>;
  questions: Map<string, ProducerQuestion>;
  effects: Effect[];
  /** Every event of every session, in the order of creation. */
  log: JsonObject[];
  /** The number of ids generated so far. */
  idCount: number;
}

/** The languages of its texts, beginning with the primary one. */
export const languages = ["en-GB", "pt-PT", "cy"] as const;

/** The known extensions with their prefixes; two of them claim the same prefix. */
export const extensions: Readonly<Record<string, string>> = {
  "https://tidewatch.example/context/v1": "tide",
  "https://tidetable.example/context/v1": "tide",
  "https://harbour.example/context/v1": "quay",
};

/** The version of AAEP that it implements. */
export const version = "1.0.0";
export const agent = { agent_id: "harbour-desk", agent_version: "2.3.0", agent_name: "Harbour Desk" };

/** Generates a unique id with this prefix. */
export function idFor(producer: Producer, kind: string): string {
  producer.idCount += 1;
  return `${kind}_${producer.clock.now().toString(36)}x${producer.idCount.toString(36)}`;
}
