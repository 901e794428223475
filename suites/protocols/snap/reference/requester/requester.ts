import type { JsonObject } from "../../../../../schemas/index.ts";
import type { NostrEvent } from "../../nostr/event.ts";
import type { TestKey } from "../../rules/keys.ts";

/** A running requester, with its decisions. */
export interface Requester {
  key: TestKey;
  policy: RequesterDecisions;
  /** Aborts open work when it closes. */
  ending: AbortController;
}

export interface ServiceEndpoint {
  protocol: string;
  url: string;
}

/** A failed request, with the code of the protocol. */
export class SnapFailure extends Error {
  readonly code: number;
  /** The seconds to wait, if the other side named them. */
  readonly retryAfter: number | undefined;

  constructor(code: number, message: string, retryAfter?: number) {
    super(message);
    this.name = "SnapFailure";
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** The decisions of a requester. A variant changes some of them; the others follow the protocol. */
export interface RequesterDecisions {
  id(requester: Requester): string;
  /** Changes a request just before it is signed. */
  asks(message: JsonObject, requester: Requester): JsonObject;
  signs(message: JsonObject, sign: (message: JsonObject) => JsonObject): JsonObject;
  headers(headers: Record<string, string>): Record<string, string>;
  /** The text of a message. */
  writes(message: JsonObject): string;
  /** The milliseconds before each operation. */
  delay: number;
  /** The versions that it speaks. */
  versions: readonly string[];
  /** Whether it sends a message even without a common version. */
  sendsAnyway: boolean;
  orders(endpoints: readonly ServiceEndpoint[]): readonly ServiceEndpoint[];
  /** Milliseconds before each further attempt. */
  pauses: readonly number[];
  /** The milliseconds to wait after this failure and this many attempts. Undefined if it gives up this endpoint. */
  wait(failure: SnapFailure, attempts: number, pauses: readonly number[]): number | undefined;

  /** Whether the signature of a message of this type is verified. */
  verifies(type: string, message: JsonObject): boolean;
  takesUnsigned: boolean;
  minds: { time: boolean; sender: boolean; recipient: boolean };
  takesPlainAnswer: boolean;
  resumes: boolean;
  /** Decodes the bytes of a stream, piece by piece. */
  decoder(): (piece: Uint8Array) => string;
  /** Whether it trusts a served card, or a card in an event, that has these faults. */
  believes(faults: readonly ("signature" | "key")[], card: JsonObject): boolean;
  believesEvent(event: NostrEvent, card: JsonObject, address: string): boolean;
  relays(urls: readonly string[]): readonly string[];
  merges(cards: readonly JsonObject[]): JsonObject[];
  kind(isStored: boolean): number;
  envelops(content: string, encrypt: (content: string) => string): string;
  recipientTag(internal: string): string[];
  needsRecipient: boolean;
}
