import type { JsonObject } from "../../../../../schemas/index.ts";

/** A connection on which a subscriber receives the events of the suite's producer. */
export interface Outlet {
  /** Sends a message unchanged, with the id of its event if it is one. */
  write(text: string, id?: string): void;
  /** Sends a frame as it is, each piece in a chunk of its own, where frames are text. */
  frame?(pieces: readonly (string | Uint8Array)[]): Promise<void>;
  /** Breaks it without a word. */
  cut(): void;
  end(): void;
}

/** The events that connections report to their producer. */
export interface Desk {
  /** Handles a subscriber's message. Returns the acceptance of a request, undefined for an unanswered message, and "refused" for an invalid one. */
  take(text: string): JsonObject | "refused" | undefined;
  opened(outlet: Outlet): void;
  /** A request is answered, by HTTP with this status. */
  answered(text: string, status?: number): void;
  /** It has ended, by either side. */
  left(outlet: Outlet): void;
}
