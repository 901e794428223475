import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { ProducerConnection, Subscriber } from "./model.ts";

/** The length above which a text is shortened. */
const maxLength = 16_384;

/** The words before the text of an event. */
const openings: Record<string, string> = {
  "session.started": "Started",
  "session.completed": "Completed",
  "session.errored": "Failed",
  "session.cancelled": "Cancelled",
  "tool.invoked": "Tool",
  "tool.completed": "Tool done",
  "state.changed": "Now",
  "progress.updated": "Progress",
  "awaiting.confirmation": "Your consent is needed",
  "awaiting.clarification": "A question",
  "handoff.requested": "Handed over",
};

/** Announces an event to the user, and stores its question. */
export function presentEvent(subscriber: Subscriber, connection: ProducerConnection, event: JsonObject): void {
  const name = String(event.type).replace(/^aaep:agent\./, "");
  if (name === "output.streaming") {
    collectOutput(subscriber, connection, event);
    return;
  }
  const { policy } = subscriber;
  const isEnd = /^session\.(?:completed|errored|cancelled)$/.test(name);
  if (isEnd && policy.closesPromptsAtEnd)
    for (const [token, prompt] of subscriber.prompts)
      if (prompt.event.session_id === event.session_id) subscriber.prompts.delete(token);
  if (
    name === "state.changed" &&
    policy.closesDroppedPrompt &&
    ["thinking", "deciding"].includes(String(event.to_state))
  )
    closeDroppedPrompt(subscriber, event);
  if (name.startsWith("awaiting.") && typeof event.reply_token === "string") {
    if (subscriber.prompts.size >= policy.maxOpenPrompts) subscriber.prompts.clear();
    subscriber.prompts.set(event.reply_token, { event, connection });
  }
  const summary = typeof event.summary_normal === "string" ? event.summary_normal : "something happened";
  const state = name === "state.changed" ? ` (${String(event.to_state).slice(0, 64)})` : "";
  announce(subscriber, connection, event, { kind: name, text: `${openings[name] ?? "News"}${state}: ${summary}` });
}

/** Closes the only open question of a session that continues: the producer has dropped it, and no other event shows this. */
function closeDroppedPrompt({ prompts }: Subscriber, { session_id: session }: JsonObject): void {
  const openPrompts = [...prompts].filter(([, prompt]) => prompt.event.session_id === session);
  const [[token] = [undefined], ...otherPrompts] = openPrompts;
  if (token !== undefined && otherPrompts.length === 0) prompts.delete(token);
}

/** Joins pieces of output up to a boundary. */
function collectOutput(subscriber: Subscriber, connection: ProducerConnection, event: JsonObject): void {
  const { output_id: id, chunk, complete, coalesce_hint: hint = "none" } = event;
  const key = `${event.session_id} ${id}`;
  const text = `${subscriber.outputs.get(key) ?? ""}${typeof chunk === "string" ? chunk : ""}`;
  const isAtBoundary = complete === true || subscriber.policy.announcesAt(String(hint));
  subscriber.outputs.set(key, isAtBoundary ? "" : text.slice(-maxLength));
  if (isAtBoundary && text !== "") announce(subscriber, connection, event, { kind: "output.streaming", text });
}

function announce(
  subscriber: Subscriber,
  { terms }: ProducerConnection,
  event: JsonObject,
  { kind, text }: { kind: string; text: string },
): void {
  const { policy, items, notices } = subscriber;
  if (text.length > maxLength && policy.noticesSize)
    notices.push({ kind: "size", text: `A text of ${text.length} characters was shortened.` });
  const item = { event_id: String(event.event_id), kind, text: text.slice(0, maxLength) };
  const announcement = policy.changeAnnouncement(item, event, terms);
  if (announcement !== undefined) items.push(announcement);
}

/** Returns the language that an event declares. */
export function languageOf({ localization_hints: hints }: JsonObject): string {
  return isObject(hints) ? String(hints.primary_language) : "";
}
