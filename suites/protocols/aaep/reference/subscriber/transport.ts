import type { JsonObject } from "../../../../../schemas/index.ts";

/** A connection to a producer: a request for a subscription, then events from it and messages to it. */
export interface ProducerTransport {
  /** The producer's answer to the request. */
  answer: JsonObject;
  /** Sends a message, and never throws: a message that the producer rejects is lost. */
  send(message: JsonObject): Promise<void>;
  /** Handles each message until the connection ends or is lost. */
  listen(handleText: (text: string) => void): Promise<void>;
  end(): void;
}
