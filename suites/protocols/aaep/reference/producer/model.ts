import type { Json, JsonObject, Protocol } from "../../../../../schemas/index.ts";
import type { ProducerClock, Timer } from "./clock.ts";

/** Whether a value is valid as a document. */
export type IsWhole = (document: string, value: Json) => boolean;

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
  /** Set if the connection has not been opened yet, and the producer waits for it. */
  isExpected?: true;
  /** The outlet of a closed subscription that still gets events. */
  leftOpen?: EventOutlet;
  /** Whether the subscription is still listed, without a connection. */
  isKept?: boolean;
  /** The number of events that the rate still allows, and the start of the count. */
  budget: { tokens: number; since: number };
  /** Events that exceeded the rate, joined if possible. */
  held: JsonObject[];
  draining?: () => void;
}

export interface ProducerQuestion {
  event: JsonObject;
  session: ProducerSession;
  deadline: number;
  isOpen: boolean;
  /** Set if another question was open when this one was settled, for policies that depend on it. */
  isCrowded?: true;
  /** The answer that settled the question; absent after a timeout. */
  answer?: JsonObject;
  /** Settles the question; without an answer it has timed out. */
  settle(answer: JsonObject | undefined): void;
}

export interface ProducerSession {
  id: string;
  events: JsonObject[];
  /** Whether the session has ended, so that pending work stops. */
  ended: boolean;
  language?: string;
}

/** An action that was really carried out. */
export interface Effect {
  session_id: string;
  tool: string;
  at: string;
}

/** A reason to refuse a reply. */
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
  event(event: JsonObject, producer: Producer): JsonObject;
  /** Whether an objection invalidates a reply. */
  respects(objection: Objection, reply: JsonObject, producer: Producer): boolean;
  /** The effect of an ignored reply on the question, if its token is known. */
  ignored(question: ProducerQuestion, reply: JsonObject): void;
  /** Whether an acceptance with a used token is carried out after the first decision. */
  overrules(decision: unknown): boolean;
  /** Whether each reply settles the latest question, regardless of its token. */
  isLatest: boolean;
  /** Whether it accepts no reply to a question that was also sent to a subscriber that cannot reply. */
  isDeaf: boolean;
  /** Whether a reply to one question also settles another one. */
  spreads(question: ProducerQuestion, other: ProducerQuestion, producer: Producer): boolean;
  /** The status and body for a reply that does not count. */
  answerTo(objection: Objection): { status: number; body?: JsonObject };
  /** Whether it proceeds after this answer to a confirmation. */
  consents(question: ProducerQuestion, answer: JsonObject | undefined): boolean;
  asks(session: ProducerSession): boolean;
  /** Whether this subscription also gets questions. */
  isAsked(subscription: Subscription): boolean;
  /** Whether it does the work too early, at this moment. */
  early(when: "asking" | "invoking" | "announcing"): boolean;
  /** Whether it secretly carries out a rejected action. */
  defies: boolean;
  /** Milliseconds after which it carries out a rejected action anyway; undefined means never. */
  defiesAfter: number | undefined;
  /** How often it carries out an action that was accepted once. */
  repeats: number;
  /** Milliseconds after which a question expires; undefined means never. */
  patience(question: ProducerQuestion, milliseconds: number): number | undefined;
  /** Whether the default is applied when the last subscribers that could answer leave in this way. */
  defaultsOn(leaving: "close" | "loss" | "mute"): boolean;
  /** Whether it waits for the answer to a clarification. */
  waits: boolean;
  /** Whether it continues after a question has expired. */
  goesOn(question: ProducerQuestion, answer: JsonObject | undefined): boolean;
  /** Whether it withdraws a question when its session is cancelled, or its action is dropped. */
  voids(reason: "cancel" | "drop", producer: Producer): boolean;
  announcesDrop: boolean;
  closesTool: boolean;
  /** Whether a subscription gets the events that follow a question. */
  tells(subscription: Subscription): boolean;

  /** Replaces the answer to a request for a subscription. */
  handshake(request: JsonObject, answer: JsonObject, producer: Producer): JsonObject | undefined;
  renegotiated(before: JsonObject, change: JsonObject): JsonObject;
  /** The answer to a renegotiation, and the terms that apply afterwards. */
  renegotiation(answer: JsonObject): JsonObject | undefined;
  obeysChange: boolean;
  /** Whether a subscription gets an event; a wrong policy may ignore the urgency. */
  passes(subscription: Subscription, event: JsonObject, isWanted: boolean): boolean;
  /** Whether an event is held back by the rate. */
  isThrottled(subscription: Subscription, event: JsonObject): boolean;
  /** Whether events beyond the rate are joined. */
  joins: boolean;
  /** The rate at which a subscription is served. */
  rate(subscription: Subscription, all: readonly Subscription[]): number | undefined;
  /** The number of events that a rate allows at once. */
  burst(rate: number): number;
  /** Milliseconds during which a subscription without an open connection counts as able to answer. */
  waitsFor: number;
  /** Whether a subscription is removed from the list after that. */
  frees(leaving: "close" | "loss"): boolean;
  /** Whether a change of terms lets open questions end with their defaults. */
  defaultsOnChange: boolean;
  /** Whether a subscription outlives its connection, and can be resumed. */
  outlives: boolean;
  /** Whether the close of a subscription ends all others as well. */
  closesAll: boolean;
  /** Whether a closed subscription still gets events. */
  sendsOn: boolean;
  language(wanted: readonly string[], available: readonly string[]): string;
  /** The copy of an event for a subscription. */
  tailors(event: JsonObject, subscription: Subscription): JsonObject;

  /** Whether an objection prevents a subscription. */
  objects(reason: "version" | "signature" | "collision" | "language"): boolean;
  /** The HTTP status of a rejection. */
  rejects: number;
  /** Whether a client requests a subscription, instead of just listening. */
  shakesHands: boolean;
  paths: { subscriptions: string; events: string; replies: string };
  /** A server-sent event with this data. */
  spells(data: string, message: JsonObject): string;
  /** The events while it waits for an answer: their names and payloads. */
  whileWaiting(kind: "confirmation" | "clarification"): readonly (readonly [name: string, payload: JsonObject])[];
  /** Whether the state changes after a question for consent, and not before. */
  asksFirst: boolean;
  /** Whether it carries out an accepted action. */
  acts(answer: JsonObject | undefined): boolean;
  /** Whether an accepted action turns out to be impossible, so that the session fails. */
  fails: boolean;
  manifest(manifest: JsonObject): JsonObject | undefined;
  /** The path of the manifest. */
  manifestAt: string;
  /** The events for a subscription that reconnects during a session. */
  resumes:
    | "what was missed"
    | "the state"
    | "the last state"
    | "everything"
    | "all but the first"
    | "all but questions"
    | "its session"
    | "nothing";
  /** The largest message that it accepts, in bytes. */
  largest: number;
  mayRead(principal: string | undefined, subscription: Subscription): boolean;
  /** Whether this caller may close a subscription or change its terms. */
  mayChange(principal: string | undefined, subscription: Subscription): boolean;
  letsIn: boolean;
  /** Spoils an HTTP answer, or the frames of the stream. */
  frames(text: string, event: JsonObject): string[];
  /** The bytes of a frame sent over the socket. */
  inSocket(frame: Buffer): Buffer;
  /** The line of a message on standard output. */
  inLines(message: object): string;
  /** Whether it names the subprotocol that it speaks over WebSocket. */
  namesProtocol: boolean;
  created: { status: number; location: boolean };
  replies: boolean;

  /** Milliseconds between the announcement of an action and its completion. */
  takes: number;
  /** Whether moving the clock forward moves timers of this kind; other timers follow the wall clock. */
  moves(timer: Timer): boolean;
  /** Whether the headers of a stream are sent before there is an event. */
  flushes: boolean;
  /** The earlier events that a new subscription gets. */
  retells: false | "what it would be told" | "questions, too";
  /** Whether answers are sent byte by byte, and events cut into pieces at any place. */
  inPieces: boolean;
  /** Milliseconds without traffic after which an HTTP connection is closed. */
  idle: number;
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
  drawn: number;
}

/** The languages of its texts, beginning with the primary one. */
export const languages = ["en-GB", "pt-PT", "cy"] as const;

/** The known extensions with their prefixes; two of them claim the same prefix. */
export const extensions: Readonly<Record<string, string>> = {
  "https://tidewatch.example/context/v1": "tide",
  "https://tidetable.example/context/v1": "tide",
  "https://harbour.example/context/v1": "quay",
};

export const version = "1.0.0";
export const agent = { agent_id: "harbour-desk", agent_version: "2.3.0", agent_name: "Harbour Desk" };

/** Generates an id of a kind that nothing else has. */
export function idFor(producer: Producer, kind: string): string {
  producer.drawn += 1;
  return `${kind}_${producer.clock.now().toString(36)}x${producer.drawn.toString(36)}`;
}
