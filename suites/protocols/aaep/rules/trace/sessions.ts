import { type Event, endings, isOvertaken } from "./event.ts";

/** The events of one session in the order of arrival. */
export interface TraceSession {
  id: string;
  events: [Event, ...Event[]];
  /** Whether a session with the same id was closed before. */
  isAgain: boolean;
  /** Whether the session has ended. */
  isClosed: boolean;
  /** No event is missing before the first one, or after the last. */
  begun: boolean;
  ended: boolean;
}

/** The known facts about the stream of these events. */
export interface Origin {
  /** The place in the recording at which each session started. */
  starts: ReadonlyMap<string, number>;
  /** The beginning of the stream. */
  first: number;
  gaps: number;
  /** The stream begins with a handshake, possibly during a session. */
  isNegotiated: boolean;
}

/** Splits events by session. */
export function sessionsOf(events: readonly Event[], { starts, first, gaps, isNegotiated }: Origin): TraceSession[] {
  const own = new Set(events.filter(isStart).map(({ session }) => session));
  const [only] = events.at(-1)?.era === 0 && own.size === 1 ? own : [];
  const latest = new Map<string, TraceSession>();
  const all: TraceSession[] = [];
  for (const each of events) {
    const open = only === undefined ? undefined : latest.get(only);
    const isStray = open !== undefined && !open.isClosed && !starts.has(each.session);
    const event: Event = isStray ? { ...each, session: open.id, isStray } : each;
    const known = latest.get(event.session);
    const isAgain = known?.isClosed === true && isStart(event) && !isHeld(event, known);
    if (known === undefined || isAgain) {
      const start = starts.get(event.session);
      // A session without a visible start may have begun before the subscription.
      const isJoined = (start ?? first) < first || (isNegotiated && (all.length === 0 || start === undefined));
      // Number 0 is the first event of a session.
      const begun = isStart(event) || event.number === 0 || (event.era === 0 && !isJoined);
      const session = { id: event.session, isAgain, isClosed: false, begun, ended: true };
      all.push({ ...session, events: [event] });
      latest.set(event.session, all.at(-1) as TraceSession);
    } else known.events.push(event);
    if (endings.has(event.name)) (latest.get(event.session) as TraceSession).isClosed = true;
  }
  for (const session of all) session.ended = session.isClosed || session.events.at(-1)?.era === gaps;
  return all;
}

/** Whether a start arrived after the end of its own session. */
function isHeld(start: Event, { events }: TraceSession): boolean {
  return !events.some(isStart) && isOvertaken(start, events.at(-1) as Event);
}

function isStart({ name }: Event): boolean {
  return name === "agent.session.started";
}
