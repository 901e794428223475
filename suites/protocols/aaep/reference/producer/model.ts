import type { Json, JsonObject, Protocol } from "../../../../../schemas/index.ts";
import type { ProducerClock, Timer } from "./clock.ts";

/** Whether a value is valid as a document. */
export type IsWhole = (document: string, value: Json) => boolean;

/** The connection to a subscription: sends events, and can be ended. */
export interface EventOutlet {
  send(message: JsonObject): void;
  end(): void;
}

export interface DeliveryTerms {
  /** Events a second that are not critical; absent: any number. */
  rate?: number;
  include: readonly string[];
  exclude: readonly string[];
  languages: readonly string[];
  confirms: boolean;
  clarifies: boolean;
}

/** A subscription; without an outlet its connection is gone. */
export interface Subscription {
  id: string;
  owner: string | undefined;
  /** The subscriber's name for itself. */
  subscriber?: Json | undefined;
  capabilities: JsonObject;
  terms: DeliveryTerms;
  outlet?: EventOutlet;
  /** Its connection has not been opened yet, and it is waited for. */
  isExpected?: true;
  /** The outlet of a closed subscription to which events go on. */
  leftOpen?: EventOutlet;
  /** Still listed without a connection. */
  isKept?: boolean;
  /** The number of events that may still be sent within the rate, and since when. */
  budget: { tokens: number; since: number };
  /** Events over the rate, joined if possible. */
  held: JsonObject[];
  draining?: () => void;
}

export interface ProducerQuestion {
  event: JsonObject;
  session: ProducerSession;
  deadline: number;
  isOpen: boolean;
  /** Another question was open when it was settled, if the policy cares. */
  isCrowded?: true;
  /** The answer that settled it; absent if the time was over. */
  answer?: JsonObject;
  /** Settles it; without an answer the time is over. */
  settle(answer: JsonObject | undefined): void;
}

export interface ProducerSession {
  id: string;
  events: JsonObject[];
  /** Stops pending work. */
  ended: boolean;
  language?: string;
}

/** Something that was really done. */
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

/** The points at which a producer decides. A variant overrides some decisions; the other decisions follow the protocol. */
export interface ProducerPolicy {
  /** The last change to an event before it is sent. */
  event(event: JsonObject, producer: Producer): JsonObject;
  /** Whether an objection keeps a reply from counting. */
  respects(objection: Objection, reply: JsonObject, producer: Producer): boolean;
  /** The effect of an ignored reply on the question, if its token is known. */
  ignored(question: ProducerQuestion, reply: JsonObject): void;
  /** Whether an acceptance by a used token is carried out, after that decision. */
  overrules(decision: unknown): boolean;
  /** Whether a reply settles the question that was asked last, whichever it names. */
  isLatest: boolean;
  /** Whether it accepts no reply to a question that was also shown to a subscriber without replies. */
  isDeaf: boolean;
  /** Whether a reply to this question settles that one, too. */
  spreads(question: ProducerQuestion, other: ProducerQuestion, producer: Producer): boolean;
  /** The status and body for a reply that does not count. */
  answerTo(objection: Objection): { status: number; body?: JsonObject };
  /** Whether it goes ahead on this answer to a confirmation. */
  consents(question: ProducerQuestion, answer: JsonObject | undefined): boolean;
  asks(session: ProducerSession): boolean;
  /** Whether a subscription is asked, too. */
  isAsked(subscription: Subscription): boolean;
  /** Does the work at the wrong time. */
  early(when: "asking" | "invoking" | "announcing"): boolean;
  /** Whether it silently carries out a rejected action. */
  defies: boolean;
  /** Milliseconds after which it carries out a rejected action all the same; never when undefined. */
  defiesAfter: number | undefined;
  /** How often it carries out an action that was accepted once. */
  repeats: number;
  /** Milliseconds after which a question expires; never when undefined. */
  patience(question: ProducerQuestion, milliseconds: number): number | undefined;
  /** Whether the default is applied when those who could answer leave that way. */
  defaultsOn(leaving: "close" | "loss" | "mute"): boolean;
  /** Whether it waits for the answer of a clarification. */
  waits: boolean;
  /** Whether it goes on after a question has expired. */
  goesOn(question: ProducerQuestion, answer: JsonObject | undefined): boolean;
  /** Whether it forgets a question of a session that is cancelled, or of an action that is dropped. */
  voids(reason: "cancel" | "drop", producer: Producer): boolean;
  announcesDrop: boolean;
  closesTool: boolean;
  /** Whether a subscription gets the events after a question. */
  tells(subscription: Subscription): boolean;

  /** Answers to requests for a subscription, instead of its own. */
  handshake(request: JsonObject, answer: JsonObject, producer: Producer): JsonObject | undefined;
  renegotiated(before: JsonObject, change: JsonObject): JsonObject;
  /** The answer to a renegotiation, and the terms that then hold. */
  renegotiation(answer: JsonObject): JsonObject | undefined;
  obeysChange: boolean;
  /** Whether an event gets through to a subscription though it is not critical, or though it is. */
  passes(subscription: Subscription, event: JsonObject, isWanted: boolean): boolean;
  /** Whether an event waits for the rate. */
  isThrottled(subscription: Subscription, event: JsonObject): boolean;
  /** Whether events over the rate are joined. */
  joins: boolean;
  /** The rate that a subscription is served at. */
  rate(subscription: Subscription, all: readonly Subscription[]): number | undefined;
  /** How many events may be sent at once at a rate. */
  burst(rate: number): number;
  /** Milliseconds for which a subscription that has not opened its connection yet counts as able to answer. */
  waitsFor: number;
  /** Whether a subscription is listed no more after that. */
  frees(leaving: "close" | "loss"): boolean;
  /** Whether open questions are given up when terms are changed. */
  defaultsOnChange: boolean;
  /** Whether a subscription outlives its connection, and can be resumed. */
  outlives: boolean;
  /** Whether the close of a subscription ends all others as well. */
  closesAll: boolean;
  /** Whether the events go on that a closed subscription had. */
  sendsOn: boolean;
  language(wanted: readonly string[], available: readonly string[]): string;
  /** The copy of an event for a subscription. */
  tailors(event: JsonObject, subscription: Subscription): JsonObject;

  /** Whether an objection prevents a subscription. */
  objects(reason: "version" | "signature" | "collision" | "language"): boolean;
  /** The HTTP status of a rejection. */
  rejects: number;
  /** Whether subscriptions are asked for, or had by listening. */
  shakesHands: boolean;
  paths: { subscriptions: string; events: string; replies: string };
  /** A server-sent event with this data. */
  spells(data: string, message: JsonObject): string;
  /** The events after a question, while it waits: their names and payloads. */
  whileWaiting(kind: "confirmation" | "clarification"): readonly (readonly [name: string, payload: JsonObject])[];
  /** Whether the state changes after a question for consent, and not before. */
  asksFirst: boolean;
  /** Whether it carries out an accepted action. */
  acts(answer: JsonObject | undefined): boolean;
  /** Whether an accepted action proves impossible, so that the session fails. */
  fails: boolean;
  manifest(manifest: JsonObject): JsonObject | undefined;
  /** The path of the manifest. */
  manifestAt: string;
  /** The events for a subscription that reconnects in mid-session. */
  resumes:
    | "what was missed"
    | "the state"
    | "the last state"
    | "everything"
    | "all but the first"
    | "all but questions"
    | "its session"
    | "nothing";
  /** Bytes of the largest message that it accepts. */
  largest: number;
  mayRead(principal: string | undefined, subscription: Subscription): boolean;
  /** Who may close a subscription or change its terms. */
  mayChange(principal: string | undefined, subscription: Subscription): boolean;
  letsIn: boolean;
  /** Spoils an HTTP answer, or the frames of the stream. */
  frames(text: string, event: JsonObject): string[];
  /** A frame as it goes over the socket. */
  inSocket(frame: Buffer): Buffer;
  /** A message as it goes to standard output. */
  inLines(message: object): string;
  /** Whether it names the subprotocol that it speaks over WebSocket. */
  namesProtocol: boolean;
  created: { status: number; location: boolean };
  replies: boolean;

  /** Milliseconds of an action after its announcement. */
  takes: number;
  /** Whether putting the clock forward moves timers of this kind; the others go by the wall clock. */
  moves(timer: Timer): boolean;
  /** Whether the headers of a stream are sent before there is an event. */
  flushes: boolean;
  /** Whether a new subscription gets the events before it. */
  retells: false | "what it would be told" | "questions, too";
  /** Whether answers are sent byte by byte, and events in pieces that end anywhere. */
  inPieces: boolean;
  /** Milliseconds after which an HTTP connection is closed on which nothing goes. */
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
  /** Ids that it has given. */
  drawn: number;
}

/** The languages of its texts, the primary one first. */
export const languages = ["en-GB", "pt-PT", "cy"] as const;

/** Extensions that it knows, with their prefixes; two of them claim the same. */
export const extensions: Readonly<Record<string, string>> = {
  "https://tidewatch.example/context/v1": "tide",
  "https://tidetable.example/context/v1": "tide",
  "https://harbour.example/context/v1": "quay",
};

export const version = "1.0.0";
export const agent = { agent_id: "harbour-desk", agent_version: "2.3.0", agent_name: "Harbour Desk" };

/** An id of a kind that no other thing has. */
export function idFor(producer: Producer, kind: string): string {
  producer.drawn += 1;
  return `${kind}_${producer.clock.now().toString(36)}x${producer.drawn.toString(36)}`;
}
