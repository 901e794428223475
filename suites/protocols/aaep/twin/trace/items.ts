import { canonical, isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { objectOrEmpty } from "../../../../packs/twins/say.ts";
import { microsecondsOf } from "../time.ts";
import { compactType, typeName } from "../types.ts";

/** A message of a recording. */
export interface Item {
  index: number;
  on: string;
  from: "producer" | "subscriber";
  message: JsonObject;
  type: string;
  isEvent: boolean;
  /** The name of a core event without `agent.`. */
  name: string | undefined;
  session: string;
  agent: string;
  /** Its timestamp, in microseconds. */
  stamp: number | undefined;
  /** The time at which it was recorded, in microseconds. */
  recordedAt: number | undefined;
}

export interface ItemGap {
  index: number;
  on: string | undefined;
}

export interface ParsedRecording {
  items: Item[];
  gaps: ItemGap[];
  subscriptions: string[];
  isTwoWay: boolean;
}

/** Parses a recording. Repeated deliveries of an unchanged event are left out. */
export function parseRecording(entries: readonly Json[]): ParsedRecording {
  const gaps: ItemGap[] = [];
  const items: Item[] = [];
  const seenEvents = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const { from, message, subscription, gap, time } = objectOrEmpty(entry);
    const on = typeof subscription === "string" ? subscription : undefined;
    if (gap !== undefined) gaps.push({ index, on });
    else if (isObject(message)) {
      const item = itemOf(
        { index, on: on ?? "", from: from === "subscriber" ? "subscriber" : "producer", message },
        time,
      );
      const key = `${item.on} ${canonical(message)}`;
      if (item.isEvent && seenEvents.has(key)) continue;
      seenEvents.add(key);
      items.push(item);
    }
  }
  const subscriptions = [...new Set(items.map(({ on }) => on))];
  return { items, gaps, subscriptions, isTwoWay: items.some(({ from }) => from === "subscriber") };
}

function itemOf(
  { index, on, from, message }: Pick<Item, "index" | "on" | "from" | "message">,
  time: Json | undefined,
): Item {
  const { type, event_id: id, session_id: session, producer } = message;
  const isSubscriptionMessage = typeof type === "string" && /^subscription\.|\.reply$/.test(type);
  const isEvent =
    from === "producer" && typeof id === "string" && typeof session === "string" && !isSubscriptionMessage;
  return {
    index,
    on,
    from,
    message,
    type: compactType(type),
    isEvent,
    name: isEvent ? typeName(type)?.slice("agent.".length) : undefined,
    session: String(session),
    agent: String(objectOrEmpty(producer).agent_id ?? ""),
    stamp: microsecondsOf(message.timestamp),
    recordedAt: microsecondsOf(time),
  };
}

export const endings: ReadonlySet<string | undefined> = new Set([
  "session.completed",
  "session.errored",
  "session.cancelled",
]);
