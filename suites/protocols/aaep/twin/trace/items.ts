import { canonical, isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { object } from "../../../../packs/twins/say.ts";
import { micros } from "../time.ts";
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
  /** Its timestamp, and the time at which it was recorded, in microseconds. */
  stamp: number | undefined;
  time: number | undefined;
}

export interface ItemGap {
  index: number;
  on: string | undefined;
}

export interface Recorded {
  items: Item[];
  gaps: ItemGap[];
  subscriptions: string[];
  isTwoWay: boolean;
}

/** Parses a recording, without unchanged second deliveries of events. */
export function recordedIn(entries: readonly Json[]): Recorded {
  const gaps: ItemGap[] = [];
  const items: Item[] = [];
  const seen = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const { from, message, subscription, gap, time } = object(entry);
    const on = typeof subscription === "string" ? subscription : undefined;
    if (gap !== undefined) gaps.push({ index, on });
    else if (isObject(message)) {
      const item = itemOf(
        { index, on: on ?? "", from: from === "subscriber" ? "subscriber" : "producer", message },
        time,
      );
      const key = `${item.on} ${canonical(message)}`;
      if (item.isEvent && seen.has(key)) continue;
      seen.add(key);
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
  const isOther = typeof type === "string" && /^subscription\.|\.reply$/.test(type);
  const isEvent = from === "producer" && typeof id === "string" && typeof session === "string" && !isOther;
  return {
    index,
    on,
    from,
    message,
    type: compactType(type),
    isEvent,
    name: isEvent ? typeName(type)?.slice("agent.".length) : undefined,
    session: String(session),
    agent: String(object(producer).agent_id ?? ""),
    stamp: micros(message.timestamp),
    time: micros(time),
  };
}

export const endings: ReadonlySet<string | undefined> = new Set([
  "session.completed",
  "session.errored",
  "session.cancelled",
]);
