/** The reaction of a callback to a request: a status, an answer, or a connection that breaks before any answer. */
export type Reaction = number | ReactionAnswer | "reset";

export interface ReactionAnswer {
  status: number;
  headers?: Record<string, string>;
  /** Milliseconds until it comes. */
  afterMs?: number;
  /** Breaks the connection halfway through the body. */
  half?: true;
}

/** A request as it arrived, valid or not. */
export interface Arrival {
  method: string;
  /** Path and query as they were written. */
  target: string;
  /** By names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Milliseconds of a monotonic clock. */
  at: number;
  /** How it is answered. */
  reaction: Reaction;
  /** When the sender stopped waiting for the answer, by the same clock; absent while it waits, and once it has an answer. */
  leftAt?: number;
}

/** One address under which requests are recorded, and answered one after the other; the last reaction is also for all that follow. */
export interface Callback {
  url: string;
  arrivals: readonly Arrival[];
  /** Whether so many have come, now or within so many milliseconds. */
  come(count: number, milliseconds: number): Promise<boolean>;
}
