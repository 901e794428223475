import type { JsonObject } from "../../../../../schemas/index.ts";
import type { SubscriberPolicy } from "./model.ts";

/** Does not announce events that match a condition. */
export function silentOn(
  concerns: (event: JsonObject, wanted: { excluded: readonly string[] }) => boolean,
): Partial<SubscriberPolicy> {
  return { announces: (item, event, wanted) => (concerns(event, wanted) ? undefined : item) };
}

/** Changes sent messages of one type. */
export function changeMessages(
  type: RegExp,
  otherwise: (message: JsonObject) => JsonObject,
): Partial<SubscriberPolicy> {
  return { sends: (message) => (type.test(String(message.type)) ? otherwise(message) : message) };
}

/** Changes the text of a stream before it is read. */
export function readChanged(read: (text: string) => void, change: (text: string) => string): (text: string) => void {
  return (text) => read(change(text));
}
