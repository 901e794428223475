import type { JsonObject } from "../../../../../schemas/index.ts";

/** A way on which a subscription was asked for, and then events come and messages go. */
export interface ProducerLine {
  /** The producer's answer to the request. */
  answer: JsonObject;
  /** Never throws: a message that a producer refuses is lost. */
  send(message: JsonObject): Promise<void>;
  /** Handles each message, until the line ends or is lost. */
  listen(take: (text: string) => void): Promise<void>;
  end(): void;
}
