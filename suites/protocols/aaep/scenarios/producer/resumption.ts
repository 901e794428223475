import type { JsonObject } from "../../../../../schemas/index.ts";
import { isBefore, nameOf } from "./story.ts";

/** Whether these are the same events in the same order. */
export function areSame(one: readonly JsonObject[], other: readonly JsonObject[]): boolean {
  return one.map(({ event_id: id }) => id).join() === other.map(({ event_id: id }) => id).join();
}

/** The events of a session in the order of their making, since a critical event may have overtaken others. Simultaneous events are ordered by id. */
export function sortByMaking(events: readonly JsonObject[]): JsonObject[] {
  const place = (one: JsonObject, other: JsonObject): number => {
    if (isBefore(one, other)) return -1;
    return isBefore(other, one) || String(one.event_id) > String(other.event_id) ? 1 : -1;
  };
  return [...events].sort(place);
}

/** Whether the events are the later ones of a session, by their making or by their arrival. */
export function areLater(
  again: readonly JsonObject[],
  seen: readonly JsonObject[],
  last: JsonObject | undefined,
): boolean {
  const got = sortByMaking(again);
  return [seen, sortByMaking(seen)].some((all) => {
    const index = all.findIndex(({ event_id: id }) => id === last?.event_id);
    return areSame(got, sortByMaking(all.slice(index + 1)));
  });
}

export function isState(event: JsonObject): boolean {
  return nameOf(event) === "state.changed";
}

export function isNew({ event_id: id }: JsonObject, before: readonly JsonObject[]): boolean {
  return before.every((event) => event.event_id !== id);
}

/** Whether the events summarize the state: by a new change of state, or by the last change again, alone or with all later events. */
export function isSummary(
  again: readonly JsonObject[],
  before: readonly JsonObject[],
  seen: readonly JsonObject[],
): boolean {
  if (again.some((event) => isState(event) && isNew(event, before))) return true;
  const last = before.findLastIndex(isState);
  return last !== -1 && (areSame(again, seen.slice(last)) || areSame(again, seen.slice(last, last + 1)));
}
