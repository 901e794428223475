import { recordingOf } from "../../../../generators/index.ts";
import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { categoryOf, specificOf, textAt } from "./messages.ts";

/** A recorded message, its location in the trace, and its main members. */
export interface TracedMessage {
  at: string;
  message: JsonObject;
  /** In lower case, since UUIDs are compared without case. */
  id: string;
  sender: string;
  category: string;
  specific: string;
  /** The id of the acknowledged message, in lower case. */
  about: string | undefined;
}

/** All sent messages of a trace, in order. */
export function messagesOf(trace: Json): TracedMessage[] {
  return recordingOf(trace).sent.map(({ at, message }) => ({
    at,
    message,
    id: (textAt(message, "message_id") ?? "").toLowerCase(),
    sender: textAt(message, "sender") ?? "",
    category: categoryOf(message),
    specific: specificOf(message),
    about: textAt(message, "acknowledging_message_id")?.toLowerCase(),
  }));
}
