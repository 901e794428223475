import { instant, type Sent } from "../../../../../generators/index.ts";
import { equal, isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { type EventName, eventNames, shortenType } from "../event.ts";
import type { SubscriptionTerms } from "./terms.ts";

/** An event of a producer, with the members that the rules use. */
export interface Event extends Sent {
  type: string;
  /** The name of a core event. */
  name: EventName | undefined;
  /** The session that contains the event: the one that it names, unless `isStray` is set. */
  session: string;
  /** Set if the event names a session that never started. It then counts as part of the recording's only session. */
  isStray: boolean;
  agent: string;
  id: string | undefined;
  stamp: number | undefined;
  /** Its `sequence_number`. */
  number: number | undefined;
  isCritical: boolean;
  /** The number of gaps before it. No message is missing between two events of the same era. */
  era: number;
  /** The terms of its subscription at that time. */
  terms: SubscriptionTerms | undefined;
}

/** The three events that end a session. */
export const endings: ReadonlySet<string | undefined> = new Set([
  "agent.session.completed",
  "agent.session.errored",
  "agent.session.cancelled",
] satisfies EventName[]);

const names: ReadonlyMap<string, EventName> = new Map(eventNames.map((name) => [`aaep:${name}`, name]));

/** Reads a message as an event. Undefined for messages that are not events, such as those of the handshake. */
export function eventOf(sent: Sent): Event | undefined {
  const { type, session_id: session, event_id: id, producer, sequence_number: number, urgency } = sent.message;
  if (sent.from !== "producer" || typeof type !== "string" || typeof session !== "string") return undefined;
  const shortType = shortenType(type);
  return {
    ...sent,
    type: shortType,
    name: names.get(shortType),
    session,
    isStray: false,
    agent: isObject(producer) && typeof producer.agent_id === "string" ? producer.agent_id : "",
    id: typeof id === "string" ? id : undefined,
    stamp: instant(sent.message.timestamp),
    number: typeof number === "number" && Number.isInteger(number) ? number : undefined,
    isCritical: urgency === "critical",
    era: 0,
    terms: undefined,
  };
}

/**
 * Whether an event waited for the rate while a later critical event of its session overtook it: critical events are sent
 * immediately (clauses 5.5.4 and 5.6.1).
 */
export function isOvertaken(event: Event, criticalEvent: Event): boolean {
  const isNumbered = event.number !== undefined && criticalEvent.number !== undefined;
  const [eventOrder, criticalOrder] = isNumbered
    ? [event.number, criticalEvent.number]
    : [event.stamp, criticalEvent.stamp];
  return criticalEvent.isCritical && !event.isCritical && (eventOrder ?? Number.NaN) <= (criticalOrder ?? Number.NaN);
}

/** Sorts events by their creation. A critical event may have overtaken events that waited for the rate. */
export function sortByCreation(events: readonly Event[]): Event[] {
  const sortedEvents: Event[] = [];
  const criticalEvents: Event[] = [];
  for (const event of events) {
    const overtakingEvent = criticalEvents.find((criticalEvent) => isOvertaken(event, criticalEvent));
    sortedEvents.splice(
      overtakingEvent === undefined ? sortedEvents.length : sortedEvents.indexOf(overtakingEvent),
      0,
      event,
    );
    if (event.isCritical) criticalEvents.push(event);
  }
  return sortedEvents;
}

/** Drops repeated deliveries of an unchanged event, which are not new events. */
export function withoutRepeats(events: readonly Event[]): Event[] {
  const firstDeliveries = new Map<string, JsonObject>();
  return events.filter(({ id, message }) => {
    if (id === undefined) return true;
    const firstMessage = firstDeliveries.get(id);
    firstDeliveries.set(id, firstMessage ?? message);
    return firstMessage === undefined || !equal(firstMessage, message);
  });
}

/** Keeps only one of the copies of an event on several subscriptions. Their texts may differ. */
export function withoutCopies(events: readonly Event[]): Event[] {
  const seenKeys = new Set<string>();
  return events.filter(({ id, agent, type, session, message }) => {
    const key = JSON.stringify([id, agent, type, session, message.timestamp]);
    const isNew = id === undefined || !seenKeys.has(key);
    seenKeys.add(key);
    return isNew;
  });
}
