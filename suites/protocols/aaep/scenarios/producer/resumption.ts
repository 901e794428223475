import type { JsonObject } from "../../../../../schemas/index.ts";
import { isBefore, nameOf } from "./session.ts";

/** Whether two lists contain the same events in the same order. */
export function haveSameIds(events: readonly JsonObject[], otherEvents: readonly JsonObject[]): boolean {
  return events.map(({ event_id: id }) => id).join() === otherEvents.map(({ event_id: id }) => id).join();
}

/** Sorts the events of a session by their creation, because a critical event may have overtaken others. Simultaneous events are ordered by id. */
export function sortByCreation(events: readonly JsonObject[]): JsonObject[] {
  const compareEvents = (event: JsonObject, otherEvent: JsonObject): number => {
    if (isBefore(event, otherEvent)) return -1;
    return isBefore(otherEvent, event) || String(event.event_id) > String(otherEvent.event_id) ? 1 : -1;
  };
  return [...events].sort(compareEvents);
}

/** Whether resumed events are those after the last seen one, in the order of creation or of arrival. */
export function areLaterEvents(
  resumedEvents: readonly JsonObject[],
  allEvents: readonly JsonObject[],
  lastSeenEvent: JsonObject | undefined,
): boolean {
  const sortedResumed = sortByCreation(resumedEvents);
  return [allEvents, sortByCreation(allEvents)].some((orderedEvents) => {
    const index = orderedEvents.findIndex(({ event_id: id }) => id === lastSeenEvent?.event_id);
    return haveSameIds(sortedResumed, sortByCreation(orderedEvents.slice(index + 1)));
  });
}

export function isStateChange(event: JsonObject): boolean {
  return nameOf(event) === "state.changed";
}

export function isNew({ event_id: id }: JsonObject, earlierEvents: readonly JsonObject[]): boolean {
  return earlierEvents.every((event) => event.event_id !== id);
}

/** Whether resumed events summarize the state: by a new change of state, or by the last change, alone or with all later events. */
export function isSummary(
  resumedEvents: readonly JsonObject[],
  earlierEvents: readonly JsonObject[],
  allEvents: readonly JsonObject[],
): boolean {
  if (resumedEvents.some((event) => isStateChange(event) && isNew(event, earlierEvents))) return true;
  const lastStateIndex = earlierEvents.findLastIndex(isStateChange);
  return (
    lastStateIndex !== -1 &&
    (haveSameIds(resumedEvents, allEvents.slice(lastStateIndex)) ||
      haveSameIds(resumedEvents, allEvents.slice(lastStateIndex, lastStateIndex + 1)))
  );
}
