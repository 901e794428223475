import type { JsonObject } from "../../../../../schemas/index.ts";

/** A connection on which a subscriber hears what a producer of the suite says. */
export interface Outlet {
  /** Sends a message as it is, with the id of its event where it is one. */
  write(text: string, id?: string): void;
  /** Sends a frame as it is, each piece in a chunk of its own, where frames are text. */
  frame?(pieces: readonly (string | Uint8Array)[]): Promise<void>;
  /** Breaks it without a word. */
  cut(): void;
  end(): void;
}

/** What connections tell the producer that they belong to. */
export interface Desk {
  /** Takes what a subscriber sends. Gives the acceptance of a request, undefined for what is not answered, "refused" for what is no message. */
  take(text: string): JsonObject | "refused" | undefined;
  opened(outlet: Outlet): void;
  /** A request is answered, by HTTP with this status. */
  answered(text: string, status?: number): void;
  /** It has ended, whoever did it. */
  left(outlet: Outlet): void;
}
