/** The reaction of a callback to a request: a status, an answer, or a connection that breaks before any answer. */
export type Reaction = number | ReactionAnswer | "reset";

export interface ReactionAnswer {
  status: number;
  headers?: Record<string, string>;
  /** Delay before the answer, in milliseconds. */
  afterMs?: number;
  /** Breaks the connection halfway through the body. */
  half?: true;
}

/** A request as it arrived, valid or not. */
export interface Arrival {
  method: string;
  /** Path and query, as sent. */
  target: string;
  /** The names are in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Time of arrival, in milliseconds of a monotonic clock. */
  at: number;
  /** The reaction to this request. */
  reaction: Reaction;
  /** The body with its original names, and a function that returns a member's original name. Set in a scenario that is played with other names. */
  came?: { body: Buffer; member(name: string): string };
  /** When the sender stopped waiting for the answer, by the same clock; absent if it still waits or has received the answer. */
  leftAt?: number;
}

/** An address that records requests and answers each with the next reaction; the last reaction also answers all later requests. */
export interface Callback {
  url: string;
  arrivals: readonly Arrival[];
  /** Whether `count` requests have arrived by now, or arrive within the given milliseconds. */
  come(count: number, milliseconds: number): Promise<boolean>;
}
