import type { JsonObject } from "../../../../../schemas/index.ts";

/** A connection on which a subscriber receives the events of the suite's producer. */
export interface Outlet {
  /** Sends a message unchanged, with the id of its event if it is one. */
  write(text: string, id?: string): void;
  /** Sends a frame unchanged, each piece in its own chunk, if frames are text. */
  frame?(pieces: readonly (string | Uint8Array)[]): Promise<void>;
  /** Breaks the connection without a message. */
  cut(): void;
  end(): void;
}

/** The events that connections report to their producer. */
export interface Desk {
  /** Handles a subscriber's message. Returns the acceptance of a request, undefined for an unanswered message, and "refused" for an invalid one. */
  take(text: string): JsonObject | "refused" | undefined;
  opened(outlet: Outlet): void;
  /** A request was answered, with this status over HTTP. */
  answered(text: string, status?: number): void;
  /** One side has ended the connection. */
  left(outlet: Outlet): void;
}
