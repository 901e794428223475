import type { JsonObject } from "../../../../../schemas/index.ts";
import type { ProducerLine } from "./line.ts";

/** A text that was spoken or shown to the user. */
export type PresentedItem = { event_id: string; kind: string; text: string };

/** The points at which a subscriber decides. A variant overrides some decisions; the other decisions follow the protocol. */
export interface SubscriberPolicy {
  /** Begins to make text of the bytes of a stream. */
  decodes(): (bytes: Uint8Array) => string;
  /** Splits the text of a stream. */
  reads(take: (text: string) => void): (text: string) => void;
  /** Whether a frame is accepted, by its text. */
  takes(text: string): boolean;
  /** The message made from a frame that is cut off. */
  completes(text: string): JsonObject | undefined;
  isOurs(context: JsonObject[string] | undefined): boolean;
  /** Whether the envelope of an event is one, as far as it is needed here. */
  isWhole(event: JsonObject): boolean;
  /** Whether an event with an invalid envelope is dropped. */
  dropsInvalid: boolean;
  /** Whether an invalid event crashes the subscriber. */
  breaksAt(event: JsonObject): boolean;
  isDouble(id: string, seen: ReadonlySet<string>): boolean;
  /** Whether events that come in the wrong order are noticed. */
  noticesOrder(isOver: boolean): boolean;
  noticesSize: boolean;
  /** The last change to the announcement of an event; undefined for none. */
  announces(item: PresentedItem, event: JsonObject, wanted: WantedTerms): PresentedItem | undefined;
  /** Whether a piece of output is announced by itself. */
  utters(hint: string): boolean;
  /** Events a second with which it keeps up, unless they are critical. */
  breath: number;
  /** The last change to a sent message. */
  sends(message: JsonObject): JsonObject | undefined;
  /** Its automatic answer. */
  answers(event: JsonObject): JsonObject | undefined;
  /** Milliseconds before an automatic answer. */
  hesitates: number;
  forgetsPrompts: boolean;
  /** Whether the one open question of a session goes when the session goes on without an answer. */
  forgetsDropped: boolean;
  /** Questions that can be answered at a time; a further one replaces them all. */
  promptsAtOnce: number;
  closes: boolean;
  /** Whether the questions of a connection go with it. */
  freesPrompts: boolean;
  /** Whether the questions of a subscription go with it when its producer closes it. */
  respectsClose: boolean;
  /** Whether a question goes when its user has answered it. */
  forgetsAnswered: boolean;
  /** How often it crashes on invalid events and subscribes again before it stays down; undefined if it never crashes. */
  falls: number | undefined;
  /** Whether it lives on after its connection is lost. */
  survives: boolean;
  /** Whether it lives on after an event that is not in its terms. */
  copes(type: string, excluded: readonly string[]): boolean;
  /** Whether it ends its connection at an event, after it has handled the rest of that chunk. */
  leavesAt(event: JsonObject): boolean;
  verifies: boolean;
  /** Whether it leaves a producer for the next. */
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
  /** It has ended this connection itself, or its producer has said that it does. */
  hasLeft: boolean;
  /** It has crashed on an event. */
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
  /** Questions that can be answered, by their tokens. */
  prompts: Map<string, { event: JsonObject; connection: ProducerConnection }>;
  /** Ids of events that came before. */
  seen: Set<string>;
  /** The highest number of each session, and whether it is over. */
  sessions: Map<string, { number: number; isOver: boolean }>;
  /** Output that has not come to a boundary. */
  outputs: Map<string, string>;
  connections: Set<ProducerConnection>;
  /** When the last events came. */
  moments: number[];
  /** How often it has fallen. */
  fallen: number;
  /** Nothing works any more. */
  isDown: boolean;
}
