import type { JsonObject } from "../../../../../schemas/index.ts";
import type { SubscriberPolicy } from "./model.ts";

/** Drops the announcements of events that match a condition. */
export function suppressAnnouncements(
  matches: (event: JsonObject, terms: { excludedTypes: readonly string[] }) => boolean,
): Partial<SubscriberPolicy> {
  return { changeAnnouncement: (item, event, terms) => (matches(event, terms) ? undefined : item) };
}

/** Changes sent messages of one type. */
export function changeMessages(
  type: RegExp,
  changeMessage: (message: JsonObject) => JsonObject,
): Partial<SubscriberPolicy> {
  return { changeMessage: (message) => (type.test(String(message.type)) ? changeMessage(message) : message) };
}

/** Changes the text of a stream before it is read. */
export function changeTextBefore(
  read: (text: string) => void,
  change: (text: string) => string,
): (text: string) => void {
  return (text) => read(change(text));
}
