import type { JsonObject } from "../../../../../schemas/index.ts";
import type { ProducerLine } from "./line.ts";

/** A text that was spoken or shown to the user. */
export type PresentedItem = { event_id: string; kind: string; text: string };

/** The decisions of a subscriber. A variant overrides some of them; all others follow the protocol. */
export interface SubscriberPolicy {
  /** Starts to decode the bytes of a stream. */
  decodes(): (bytes: Uint8Array) => string;
  /** Splits the text of a stream. */
  reads(take: (text: string) => void): (text: string) => void;
  /** Whether a frame with this text is accepted. */
  takes(text: string): boolean;
  /** The message made from a frame that is cut off. */
  completes(text: string): JsonObject | undefined;
  isOurs(context: JsonObject[string] | undefined): boolean;
  /** Whether the envelope of an event is valid, as far as this program needs it. */
  isWhole(event: JsonObject): boolean;
  /** Whether an event with an invalid envelope is dropped. */
  dropsInvalid: boolean;
  /** Whether an invalid event crashes the subscriber. */
  breaksAt(event: JsonObject): boolean;
  isDouble(id: string, seen: ReadonlySet<string>): boolean;
  /** Whether events in the wrong order are noticed. */
  noticesOrder(isOver: boolean): boolean;
  noticesSize: boolean;
  /** Changes the announcement of an event; undefined for no announcement. */
  announces(item: PresentedItem, event: JsonObject, wanted: WantedTerms): PresentedItem | undefined;
  /** Whether a piece of output is announced separately. */
  utters(hint: string): boolean;
  /** The number of events a second that it can handle, apart from critical ones. */
  breath: number;
  /** Changes a message before it is sent. */
  sends(message: JsonObject): JsonObject | undefined;
  /** Its automatic answer. */
  answers(event: JsonObject): JsonObject | undefined;
  /** Milliseconds before an automatic answer. */
  hesitates: number;
  forgetsPrompts: boolean;
  /** Whether it closes the only open question of a session if the session continues without an answer. */
  forgetsDropped: boolean;
  /** The number of questions that can be open at once; another question replaces them all. */
  promptsAtOnce: number;
  closes: boolean;
  /** Whether a lost connection closes its questions. */
  freesPrompts: boolean;
  /** Whether a close by the producer closes the questions of the subscription. */
  respectsClose: boolean;
  /** Whether the user's answer closes a question. */
  forgetsAnswered: boolean;
  /** The number of crashes on invalid events after which it subscribes again; undefined if it never crashes. */
  falls: number | undefined;
  /** Whether it survives a lost connection. */
  survives: boolean;
  /** Whether it survives an event that its terms exclude. */
  copes(type: string, excluded: readonly string[]): boolean;
  /** Whether it ends its connection at an event, after the rest of that chunk. */
  leavesAt(event: JsonObject): boolean;
  verifies: boolean;
  /** Whether it leaves one producer before it subscribes to the next. */
  isSingle: boolean;
}

/** The requested terms. */
export interface WantedTerms {
  languages: readonly string[];
  excluded: readonly string[];
}

/** A connection to a producer. */
export interface ProducerConnection {
  id: string;
  line: ProducerLine;
  isOpen: boolean;
  /** Whether it has ended the connection itself, or the producer has announced the end. */
  hasLeft: boolean;
  /** Whether it has crashed on an event. */
  hasFallen: boolean;
  wanted: WantedTerms;
  /** The wishes of its user. */
  given: JsonObject;
}

/** A subscriber at work, and its announcements to the user. */
export interface Subscriber {
  policy: SubscriberPolicy;
  items: PresentedItem[];
  notices: { kind: string; text: string }[];
  /** The open questions, by their tokens. */
  prompts: Map<string, { event: JsonObject; connection: ProducerConnection }>;
  /** The ids of earlier events. */
  seen: Set<string>;
  /** The highest number of each session, and whether the session is over. */
  sessions: Map<string, { number: number; isOver: boolean }>;
  /** Output that has not reached a boundary yet. */
  outputs: Map<string, string>;
  connections: Set<ProducerConnection>;
  /** The times of the latest events. */
  moments: number[];
  /** The number of crashes. */
  fallen: number;
  /** Whether it has stopped working. */
  isDown: boolean;
}
