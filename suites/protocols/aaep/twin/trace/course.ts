import { groupBy } from "../grouped.ts";
import type { Item, ItemGap, Recorded } from "./items.ts";
import { isHidden, type Terms } from "./terms.ts";

/** The events of one session on one subscription, with possible gaps. */
export interface TwinCourse {
  events: Item[];
  terms: Terms;
  /** Whether something may be missing between two places of the recording. */
  hasGap(from: number, to: number): boolean;
  /** Whether the first event may have come before the recording. */
  isCutShort: boolean;
  /** Whether another subscription shows that this one was joined during the session. */
  isJoined: boolean;
}

/** Splits the events of each subscription by session. */
export function coursesOf(
  { items, gaps }: Recorded,
  all: readonly Terms[],
  isStrict: (freedom: string) => boolean,
): TwinCourse[] {
  const events = items.filter((item) => item.isEvent);
  const begins = new Map<string, Item>();
  for (const event of events) if (!begins.has(event.session)) begins.set(event.session, event);
  return all.flatMap((terms) => {
    const own = gaps.filter(({ on }) => on === undefined || on === terms.on);
    const hasGap = (from: number, to: number): boolean =>
      isStrict("places-of-gaps") ? own.some(({ index }: ItemGap) => index > from && index < to) : own.length > 0;
    const sessions = groupBy(
      events.filter(({ on }) => on === terms.on),
      ({ session }) => session,
    );
    return [...sessions].map(([session, events]) => {
      const [first] = events as [Item];
      const begin = begins.get(session) as Item;
      const isJoined = (begin.on !== terms.on && begin.index < terms.first) || (terms.requested ?? -1) > begin.index;
      const isCutShort = hasGap(-1, first.index) || isJoined || isHidden(terms, "session.started");
      return { events, terms, hasGap, isCutShort, isJoined };
    });
  });
}
