import type { JsonObject } from "../../../../../schemas/index.ts";

/** A way on which a subscription was asked for, and then events come and messages go. */
export interface Line {
  /** What the producer has answered the request with. */
  answer: JsonObject;
  /** Never throws: what a producer does not take is lost. */
  send(message: JsonObject): Promise<void>;
  /** Takes each message that comes, until the line ends or is lost. */
  listen(take: (text: string) => void): Promise<void>;
  end(): void;
}
