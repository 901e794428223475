import type { Json } from "./json.ts";

/** What a published number bounds in a message: the bytes of its JSON text, its items, or the bytes of each of them. */
export interface PublishedBound {
  /** JSON Pointer into what is published. */
  published: string;
  /** JSON Pointer into the message; empty for all of it. */
  at: string;
  measure: "bytes" | "items" | "bytes-of-items";
}

/** Where a server publishes how much it takes: a message that is over a limit may be refused, and nothing is shown by that. */
export interface PublishedLimits {
  /** Path of the JSON object that has them. */
  path: string;
  /** Addresses that a receiver may refuse by a policy of its own, though a message may have them. */
  addresses?: RefusableAddress[];
  bounds: PublishedBound[];
  /** JSON Pointer into what is published: messages that are taken in a minute. */
  pace?: string;
  open?: PublishedRoom;
}

/** An address in a message that has another scheme than these, or holds a user or a password. */
export interface RefusableAddress {
  /** JSON Pointer into the message. */
  at: string;
  /** Without the colon, in lower case. */
  schemes: string[];
}

/** How many messages a server keeps open at a time: it puts further ones off until some have ended. */
export interface PublishedRoom {
  /** JSON Pointer into what is published. */
  published: string;
  /** Values of members in the body of an answer, by JSON Pointer, that say that its message is open. */
  equal: Record<string, Json>;
  /** JSON Pointer to the message's id in this body. */
  id: string;
}
