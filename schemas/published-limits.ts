import type { Json } from "./json.ts";

/** A published number that limits the bytes of a message's JSON text, its items, or the bytes of each item. */
export interface PublishedBound {
  /** JSON Pointer into the published document. */
  published: string;
  /** JSON Pointer into the message; empty for all of it. */
  at: string;
  measure: "bytes" | "items" | "bytes-of-items";
}

/** The document in which a server publishes its limits: a message over a limit may be refused, and that refusal proves nothing. */
export interface PublishedLimits {
  /** Path of the JSON object that has them. */
  path: string;
  /** Addresses that are valid in a message, but that a receiver may refuse because of its own policy. */
  addresses?: RefusableAddress[];
  bounds: PublishedBound[];
  /** JSON Pointer into the published document: accepted messages per minute. */
  pace?: string;
  open?: PublishedRoom;
}

/** An address in a message that has a scheme other than these, or contains a user or a password. */
export interface RefusableAddress {
  /** JSON Pointer into the message. */
  at: string;
  /** Without the colon, in lower case. */
  schemes: string[];
}

/** The number of messages that a server keeps open at a time. It postpones further ones until some have ended. */
export interface PublishedRoom {
  /** JSON Pointer into the published document. */
  published: string;
  /** Values of members in the body of an answer, by JSON Pointer, that say that its message is open. */
  equal: Record<string, Json>;
  /** JSON Pointer to the message's id in this body. */
  id: string;
}
