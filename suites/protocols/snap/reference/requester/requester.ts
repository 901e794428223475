import type { JsonObject } from "../../../../../schemas/index.ts";
import type { NostrEvent } from "../../nostr/event.ts";
import type { TestKey } from "../../rules/keys.ts";

/** A running requester, with its decisions. */
export interface Requester {
  key: TestKey;
  policy: RequesterDecisions;
  /** Aborts open requests when the requester closes. */
  ending: AbortController;
}

export interface ServiceEndpoint {
  protocol: string;
  url: string;
}

/** A failed request, with the code of the protocol. */
export class SnapFailure extends Error {
  readonly code: number;
  /** The seconds to wait, if the agent named them. */
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
  /** The id of a new request. */
  id(requester: Requester): string;
  /** Changes a request just before it is signed. */
  editRequest(message: JsonObject, requester: Requester): JsonObject;
  signs(message: JsonObject, sign: (message: JsonObject) => JsonObject): JsonObject;
  /** Changes the headers of a request over HTTP. */
  headers(headers: Record<string, string>): Record<string, string>;
  /** Serializes a message. */
  serialize(message: JsonObject): string;
  /** The milliseconds before each operation. */
  delay: number;
  /** The versions that the requester supports. */
  versions: readonly string[];
  /** Whether the requester sends a message even without a common version. */
  sendsAnyway: boolean;
  /** The endpoints of a card in the order in which they are tried. */
  orderEndpoints(endpoints: readonly ServiceEndpoint[]): readonly ServiceEndpoint[];
  /** Milliseconds before each further attempt. */
  pauses: readonly number[];
  /** The milliseconds to wait after this failure and this many attempts. Undefined to give up this endpoint. */
  pauseAfter(failure: SnapFailure, attempts: number, pauses: readonly number[]): number | undefined;

  /** Whether the signature of a message of this type is verified. */
  verifies(type: string, message: JsonObject): boolean;
  acceptsUnsigned: boolean;
  /** The members of an answer that are checked. */
  checkedMembers: { time: boolean; sender: boolean; recipient: boolean };
  /** Whether a single JSON answer to a request for a stream is accepted. */
  acceptsPlainAnswer: boolean;
  /** Whether a broken stream is resumed. */
  resumes: boolean;
  /** Decodes the bytes of a stream, piece by piece. */
  decoder(): (piece: Uint8Array) => string;
  /** Whether a served card with these faults is trusted. */
  trustsCard(faults: readonly ("signature" | "key")[], card: JsonObject): boolean;
  /** Whether a card in an event is trusted. `address` belongs to the signer of the event. */
  trustsEvent(event: NostrEvent, card: JsonObject, address: string): boolean;
  /** The relays that are searched. */
  relays(urls: readonly string[]): readonly string[];
  /** Combines the cards of all relays. */
  mergeCards(cards: readonly JsonObject[]): JsonObject[];
  /** The kind of event for a request that relays should store, or only forward. */
  kind(isStored: boolean): number;
  /** Encrypts the content of a request. */
  encryptContent(content: string, encrypt: (content: string) => string): string;
  recipientTag(internal: string): string[];
  /** Whether a message without a recipient is an error over Nostr. */
  needsRecipient: boolean;
}
