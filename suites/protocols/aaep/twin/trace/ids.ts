import { canonical } from "../../../../../schemas/index.ts";
import type { Say } from "../../../../packs/twins/say.ts";
import { matches } from "../filters.ts";
import { emittedTypes } from "../records.ts";
import type { Item, Recorded } from "./items.ts";

/** Judges that an id means one event on all subscriptions. */
export function ids(say: Say, { items }: Recorded): void {
  const known = new Map<string, Item[]>();
  for (const event of items) {
    if (!event.isEvent) continue;
    const key = String(event.message.event_id);
    const others = known.get(key) ?? [];
    for (const other of others) {
      const isSame =
        other.on === event.on
          ? canonical(other.message) === canonical(event.message)
          : other.type === event.type && other.session === event.session && other.stamp === event.stamp;
      if (!isSame) say("has the id of another event", ...(other.agent === event.agent ? [] : ["ids-of-agents"]));
    }
    known.set(key, [...others, event]);
  }
}

/** Judges that a manifest lists the events of its producer. */
export function judgeEmitted(say: Say, { items }: Recorded): void {
  const manifests = items.filter(({ type, from }) => from === "producer" && type === "aaep:producer.manifest");
  for (const { message } of manifests) {
    const listed = emittedTypes(message);
    const isListed = (type: string): boolean => listed?.some((each) => matches(each, type)) ?? true;
    if (items.some(({ isEvent, agent, type }) => isEvent && agent === message.agent_id && !isListed(type)))
      say("emits a type that its manifest does not list", "listed-types");
  }
}
