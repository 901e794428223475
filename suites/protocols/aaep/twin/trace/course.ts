import { groupBy } from "../group-by.ts";
import type { Item, ItemGap, ParsedRecording } from "./items.ts";
import { isHidden, type TwinTerms } from "./terms.ts";

/** The events of one session on one subscription, with possible gaps. */
export interface TwinCourse {
  events: Item[];
  terms: TwinTerms;
  /** Whether messages may be missing between two indexes of the recording. */
  hasGap(from: number, to: number): boolean;
  /** Whether the session may have started before its first recorded event. */
  isCutShort: boolean;
  /** Whether the subscription began during the session. */
  isJoined: boolean;
}

/** Splits the events of each subscription by session. */
export function coursesOf(
  { items, gaps }: ParsedRecording,
  allTerms: readonly TwinTerms[],
  isStrict: (freedom: string) => boolean,
): TwinCourse[] {
  const events = items.filter((item) => item.isEvent);
  const firstEvents = new Map<string, Item>();
  for (const event of events) if (!firstEvents.has(event.session)) firstEvents.set(event.session, event);
  return allTerms.flatMap((terms) => {
    const gapsOfSubscription = gaps.filter(({ on }) => on === undefined || on === terms.on);
    const hasGap = (from: number, to: number): boolean =>
      isStrict("places-of-gaps")
        ? gapsOfSubscription.some(({ index }: ItemGap) => index > from && index < to)
        : gapsOfSubscription.length > 0;
    const sessions = groupBy(
      events.filter(({ on }) => on === terms.on),
      ({ session }) => session,
    );
    return [...sessions].map(([session, sessionEvents]) => {
      const [firstEvent] = sessionEvents as [Item];
      const firstOnAnySubscription = firstEvents.get(session) as Item;
      const isJoined =
        (firstOnAnySubscription.on !== terms.on && firstOnAnySubscription.index < terms.firstIndex) ||
        (terms.requestedAt ?? -1) > firstOnAnySubscription.index;
      const isCutShort = hasGap(-1, firstEvent.index) || isJoined || isHidden(terms, "session.started");
      return { events: sessionEvents, terms, hasGap, isCutShort, isJoined };
    });
  });
}
