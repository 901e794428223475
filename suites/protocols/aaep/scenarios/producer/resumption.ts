import type { JsonObject } from "../../../../../schemas/index.ts";
import { nameOf } from "./story.ts";

/** Whether these are the same events in the same order. */
export function areSame(one: readonly JsonObject[], other: readonly JsonObject[]): boolean {
  return one.map(({ event_id: id }) => id).join() === other.map(({ event_id: id }) => id).join();
}

export function isState(event: JsonObject): boolean {
  return nameOf(event) === "state.changed";
}

export function isNew({ event_id: id }: JsonObject, before: readonly JsonObject[]): boolean {
  return before.every((event) => event.event_id !== id);
}

/** Whether events summarize the state: by a new change of state, or by the last one again, alone or with all later events. */
export function isSummary(
  again: readonly JsonObject[],
  before: readonly JsonObject[],
  seen: readonly JsonObject[],
): boolean {
  if (again.some((event) => isState(event) && isNew(event, before))) return true;
  const last = before.findLastIndex(isState);
  return last !== -1 && (areSame(again, seen.slice(last)) || areSame(again, seen.slice(last, last + 1)));
}
