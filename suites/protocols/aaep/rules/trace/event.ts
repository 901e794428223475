import { instant, type Sent } from "../../../../../generators/index.ts";
import { equal, isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { type EventName, eventNames, shortenType } from "../event.ts";
import type { SubscriptionTerms } from "./terms.ts";

/** An event of a producer, with the members that the rules use. */
export interface Event extends Sent {
  type: string;
  /** The name of a core event. */
  name: EventName | undefined;
  /** The session of the event: its own id, unless `isStray`. */
  session: string;
  /** Set if its id belongs to no started session, but the recording has one session that continues. */
  isStray: boolean;
  agent: string;
  id: string | undefined;
  stamp: number | undefined;
  /** Its `sequence_number`. */
  number: number | undefined;
  isCritical: boolean;
  /** The number of gaps before it. Nothing is missing between two events of one era. */
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

/** The event of a message; undefined for the handshake and for messages without a session. */
export function eventOf(sent: Sent): Event | undefined {
  const { type, session_id: session, event_id: id, producer, sequence_number: number, urgency } = sent.message;
  if (sent.from !== "producer" || typeof type !== "string" || typeof session !== "string") return undefined;
  const short = shortenType(type);
  return {
    ...sent,
    type: short,
    name: names.get(short),
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
 * Whether an event waited for the rate while a later critical event of its session overtook it: critical events are sent at
 * once (clauses 5.5.4 and 5.6.1).
 */
export function isOvertaken(event: Event, by: Event): boolean {
  const isNumbered = event.number !== undefined && by.number !== undefined;
  const [one, other] = isNumbered ? [event.number, by.number] : [event.stamp, by.stamp];
  return by.isCritical && !event.isCritical && (one ?? Number.NaN) <= (other ?? Number.NaN);
}

/** The events of a session in the order of their creation. A critical event may have overtaken events that waited for the rate. */
export function inOrderMade(events: readonly Event[]): Event[] {
  const made: Event[] = [];
  const criticals: Event[] = [];
  for (const event of events) {
    const overtaking = criticals.find((by) => isOvertaken(event, by));
    made.splice(overtaking === undefined ? made.length : made.indexOf(overtaking), 0, event);
    if (event.isCritical) criticals.push(event);
  }
  return made;
}

/** The events without unchanged second deliveries, which are not second events. */
export function withoutRepeats(events: readonly Event[]): Event[] {
  const first = new Map<string, JsonObject>();
  return events.filter(({ id, message }) => {
    if (id === undefined) return true;
    const known = first.get(id);
    first.set(id, known ?? message);
    return known === undefined || !equal(known, message);
  });
}

/** One event for its copies on several subscriptions; their texts may differ. */
export function withoutCopies(events: readonly Event[]): Event[] {
  const seen = new Set<string>();
  return events.filter(({ id, agent, type, session, message }) => {
    const key = JSON.stringify([id, agent, type, session, message.timestamp]);
    const isNew = id === undefined || !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
