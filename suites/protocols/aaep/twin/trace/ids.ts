import { canonical } from "../../../../../schemas/index.ts";
import type { ReportFault } from "../../../../packs/twins/say.ts";
import { matches } from "../filters.ts";
import { emittedTypes } from "../records.ts";
import type { Item, ParsedRecording } from "./items.ts";

/** Judges whether each id belongs to only one event on all subscriptions. */
export function judgeIds(report: ReportFault, { items }: ParsedRecording): void {
  const eventsById = new Map<string, Item[]>();
  for (const event of items) {
    if (!event.isEvent) continue;
    const key = String(event.message.event_id);
    const earlierEvents = eventsById.get(key) ?? [];
    for (const earlierEvent of earlierEvents) {
      const isSame =
        earlierEvent.on === event.on
          ? canonical(earlierEvent.message) === canonical(event.message)
          : earlierEvent.type === event.type &&
            earlierEvent.session === event.session &&
            earlierEvent.stamp === event.stamp;
      if (!isSame)
        report("has the id of another event", ...(earlierEvent.agent === event.agent ? [] : ["ids-of-agents"]));
    }
    eventsById.set(key, [...earlierEvents, event]);
  }
}

/** Judges whether a manifest lists all events that its producer sends. */
export function judgeEmittedTypes(report: ReportFault, { items }: ParsedRecording): void {
  const manifests = items.filter(({ type, from }) => from === "producer" && type === "aaep:producer.manifest");
  for (const { message } of manifests) {
    const listedTypes = emittedTypes(message);
    const isListed = (type: string): boolean => listedTypes?.some((pattern) => matches(pattern, type)) ?? true;
    if (items.some(({ isEvent, agent, type }) => isEvent && agent === message.agent_id && !isListed(type)))
      report("emits a type that its manifest does not list", "listed-types");
  }
}
