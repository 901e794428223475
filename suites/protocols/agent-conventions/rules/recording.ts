import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { acknowledgment, uuid } from "./messages.ts";

/** A recording of messages in order; each gets an id of its own. */
export function recording(...messages: JsonObject[]): Json[] {
  return messages.map((message, index) => ({
    from: message.sender as string,
    message: { ...message, message_id: uuid(index) },
  }));
}

/** What an agent says to the message with that number. */
export function answer(sender: string, about: number, level: string, more: JsonObject = {}): JsonObject {
  return acknowledgment(level, {
    sender,
    recipient: "orchestrator-main",
    acknowledging_message_id: uuid(about),
    ...more,
  });
}
