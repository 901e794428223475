import type { JsonObject } from "../../../../../schemas/index.ts";
import type { ProducerTransport } from "./transport.ts";

/** A text that was spoken or shown to the user. */
export type PresentedItem = { event_id: string; kind: string; text: string };

/** The decisions of a subscriber. A variant overrides some of them; all others follow the protocol. */
export interface SubscriberPolicy {
  /** Returns a decoder for the bytes of a stream. */
  createDecoder(): (bytes: Uint8Array) => string;
  /** Splits the text of a stream into the data of its events. */
  splitEvents(handleText: (text: string) => void): (text: string) => void;
  /** Whether a frame with this text is accepted. */
  acceptsFrame(text: string): boolean;
  /** Makes a message from a truncated frame; undefined if the frame is dropped. */
  repairFrame(text: string): JsonObject | undefined;
  isKnownContext(context: JsonObject[string] | undefined): boolean;
  /** Whether the envelope of an event is valid, as far as this program needs it. */
  hasValidEnvelope(event: JsonObject): boolean;
  /** Whether an event with an invalid envelope is dropped. */
  dropsInvalid: boolean;
  /** Whether an invalid event crashes the subscriber. */
  crashesAt(event: JsonObject): boolean;
  isDuplicate(id: string, seen: ReadonlySet<string>): boolean;
  /** Whether events in the wrong order are noticed. */
  noticesOrder(isOver: boolean): boolean;
  noticesSize: boolean;
  /** Changes the announcement of an event; undefined for no announcement. */
  changeAnnouncement(item: PresentedItem, event: JsonObject, terms: RequestedTerms): PresentedItem | undefined;
  /** Whether a piece of output is announced separately. */
  announcesAt(hint: string): boolean;
  /** The number of uncritical events that it can handle a second. */
  maxEventsPerSecond: number;
  /** Changes a message before it is sent. Undefined means that it is not sent. */
  changeMessage(message: JsonObject): JsonObject | undefined;
  /** Answers without the user; undefined if it leaves the question to the user. */
  answerAutomatically(event: JsonObject): JsonObject | undefined;
  /** Milliseconds before an automatic answer. */
  answerDelay: number;
  closesPromptsAtEnd: boolean;
  /** Whether it closes the only open question of a session that continues without an answer. */
  closesDroppedPrompt: boolean;
  /** The number of questions that can be open at the same time; another question replaces them all. */
  maxOpenPrompts: number;
  sendsClose: boolean;
  /** Whether a lost connection closes its questions. */
  closesPromptsOnLoss: boolean;
  /** Whether a close by the producer closes the questions of the subscription. */
  respectsClose: boolean;
  /** Whether the user's answer closes a question. */
  closesAnsweredPrompt: boolean;
  /** How often it breaks the connection at an invalid event and subscribes again, before it stops working; undefined if it keeps the connection. */
  maxCrashes: number | undefined;
  /** Whether it survives a lost connection. */
  survivesLoss: boolean;
  /** Whether it survives an event that its terms exclude. */
  survivesEvent(type: string, excludedTypes: readonly string[]): boolean;
  /** Whether it ends its connection at an event, once it has handled the rest of the chunk. */
  disconnectsAt(event: JsonObject): boolean;
  verifiesSignatures: boolean;
  /** Whether it leaves one producer before it subscribes to the next. */
  usesOneProducer: boolean;
}

/** The requested terms. */
export interface RequestedTerms {
  languages: readonly string[];
  excludedTypes: readonly string[];
}

/** A connection to a producer. */
export interface ProducerConnection {
  id: string;
  transport: ProducerTransport;
  isOpen: boolean;
  /** Whether it has ended the connection itself, or the producer has announced the end. */
  hasLeft: boolean;
  /** Whether it has crashed on an event. */
  hasCrashed: boolean;
  terms: RequestedTerms;
  /** The options of the user for the connection. */
  connectOptions: JsonObject;
}

/** A subscriber at work, and its announcements to the user. */
export interface Subscriber {
  policy: SubscriberPolicy;
  items: PresentedItem[];
  notices: { kind: string; text: string }[];
  /** The open questions, by their tokens. */
  prompts: Map<string, { event: JsonObject; connection: ProducerConnection }>;
  /** The ids of earlier events. */
  seenIds: Set<string>;
  /** The highest number of each session, and whether the session is over. */
  sessions: Map<string, { number: number; isOver: boolean }>;
  /** Output that has not reached a boundary yet. */
  outputs: Map<string, string>;
  connections: Set<ProducerConnection>;
  /** The times of the latest events. */
  eventTimes: number[];
  /** The number of crashes. */
  crashes: number;
  /** Whether it has stopped working. */
  isDown: boolean;
}
