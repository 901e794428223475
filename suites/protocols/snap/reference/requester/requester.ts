import type { JsonObject } from "../../../../../schemas/index.ts";
import type { NostrEvent } from "../../nostr/event.ts";
import type { TestKey } from "../../rules/keys.ts";

/** A requester at work: its means of asking, and its decisions. */
export interface Requester {
  key: TestKey;
  policy: RequesterDecisions;
  /** Ends open work when it closes. */
  ending: AbortController;
}

export interface ServiceEndpoint {
  protocol: string;
  url: string;
}

/** Why nothing came of a request, by the code of the protocol. */
export class SnapFailure extends Error {
  readonly code: number;
  /** Seconds to wait, if the other end said so. */
  readonly retryAfter: number | undefined;

  constructor(code: number, message: string, retryAfter?: number) {
    super(message);
    this.name = "SnapFailure";
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** The decisions of a requester. A variant changes some; the others follow the protocol. */
export interface RequesterDecisions {
  id(requester: Requester): string;
  /** Has the last word on a request, before it is signed. */
  asks(message: JsonObject, requester: Requester): JsonObject;
  signs(message: JsonObject, sign: (message: JsonObject) => JsonObject): JsonObject;
  headers(headers: Record<string, string>): Record<string, string>;
  /** The text of a message. */
  writes(message: JsonObject): string;
  /** Milliseconds before it does anything that it is asked for. */
  delay: number;
  /** Versions that it speaks. */
  versions: readonly string[];
  /** Whether it sends without a common version. */
  sendsAnyway: boolean;
  orders(endpoints: readonly ServiceEndpoint[]): readonly ServiceEndpoint[];
  /** Milliseconds before each further attempt. */
  pauses: readonly number[];
  /** Milliseconds to wait after this failure and so many attempts; undefined to give up at this endpoint. */
  wait(failure: SnapFailure, attempts: number, pauses: readonly number[]): number | undefined;

  /** Whether the signature of a message of this type is verified. */
  verifies(type: string, message: JsonObject): boolean;
  takesUnsigned: boolean;
  minds: { time: boolean; sender: boolean; recipient: boolean };
  takesPlainAnswer: boolean;
  resumes: boolean;
  /** Makes texts of the bytes of a stream, piece by piece. */
  decoder(): (piece: Uint8Array) => string;
  /** Whether a served card, or one in an event, is believed; `faults` are its faults. */
  believes(faults: readonly ("signature" | "key")[], card: JsonObject): boolean;
  believesEvent(event: NostrEvent, card: JsonObject, address: string): boolean;
  relays(urls: readonly string[]): readonly string[];
  merges(cards: readonly JsonObject[]): JsonObject[];
  kind(isStored: boolean): number;
  envelops(content: string, encrypt: (content: string) => string): string;
  recipientTag(internal: string): string[];
  needsRecipient: boolean;
}
