import { entryFrom } from "../../../../../generators/index.ts";
import type { Json, JsonObject } from "../../../../../schemas/index.ts";

const subscriberTypes = new Set<unknown>([
  "subscription.request",
  "subscription.renegotiate",
  "confirmation.reply",
  "clarification.reply",
]);

/** Reads a line of a recording as an entry. A bare message is attributed to the producer, unless only subscribers send its type. */
export function entryOf(line: Json): Json {
  return entryFrom(line, ({ type }: JsonObject) => (subscriberTypes.has(type) ? "subscriber" : "producer"));
}
