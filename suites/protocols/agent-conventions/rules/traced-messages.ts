import { recorded } from "../../../../generators/index.ts";
import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { categoryOf, specificOf, textAt } from "./messages.ts";

/** A recorded message with its place, and its own statements. */
export interface TracedMessage {
  at: string;
  message: JsonObject;
  /** In small letters, as UUIDs are compared. */
  id: string;
  sender: string;
  category: string;
  specific: string;
  /** Id of the message that it acknowledges, in small letters. */
  about: string | undefined;
}

export function messagesOf(trace: Json): TracedMessage[] {
  return recorded(trace).sent.map(({ at, message }) => ({
    at,
    message,
    id: (textAt(message, "message_id") ?? "").toLowerCase(),
    sender: textAt(message, "sender") ?? "",
    category: categoryOf(message),
    specific: specificOf(message),
    about: textAt(message, "acknowledging_message_id")?.toLowerCase(),
  }));
}
