import type { JsonObject } from "../../../../../schemas/index.ts";

/** The connection on which a subscriber receives the events of the suite's producer. */
export interface Outlet {
  /** Sends a message unchanged, with the id of its event if it is one. */
  write(text: string, id?: string): void;
  /** Sends a frame unchanged, each piece in its own chunk. Absent if frames are not text. */
  writeFrame?(pieces: readonly (string | Uint8Array)[]): Promise<void>;
  /** Breaks the connection without a message. */
  cut(): void;
  end(): void;
}

/** Handles the messages and events of the producer's connections. */
export interface ConnectionHandler {
  /** Handles a subscriber's message. Returns the acceptance of a request, undefined for an unanswered message, and "refused" for an invalid one. */
  handleMessage(text: string): JsonObject | "refused" | undefined;
  onOpen(outlet: Outlet): void;
  /** Called when a message was answered, over HTTP with this status. */
  onAnswer(text: string, status?: number): void;
  /** Called when one side has ended the connection. */
  onEnd(outlet: Outlet): void;
}
