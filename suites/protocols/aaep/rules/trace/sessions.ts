import { type Event, endings, isOvertaken } from "./event.ts";

/** The events of one session in the order of arrival. */
export interface TraceSession {
  id: string;
  events: [Event, ...Event[]];
  /** Whether a session with the same id was closed before. */
  reusesId: boolean;
  /** Whether the session has ended. */
  isClosed: boolean;
  /** Whether no event is missing before the first one. */
  hasBeginning: boolean;
  /** Whether no event is missing after the last one. */
  hasEnd: boolean;
}

/** How a stream of events begins. */
export interface StreamOrigin {
  /** The index in the recording at which each session started. */
  starts: ReadonlyMap<string, number>;
  /** The index of its first message. */
  first: number;
  gaps: number;
  /** Whether it begins with a handshake, possibly during a session. */
  isNegotiated: boolean;
}

/** Splits events by session. */
export function sessionsOf(
  events: readonly Event[],
  { starts, first, gaps, isNegotiated }: StreamOrigin,
): TraceSession[] {
  const startedIds = new Set(events.filter(isStart).map(({ session }) => session));
  const [onlyStartedId] = events.at(-1)?.era === 0 && startedIds.size === 1 ? startedIds : [];
  const latestSessions = new Map<string, TraceSession>();
  const sessions: TraceSession[] = [];
  for (const originalEvent of events) {
    const openSession = onlyStartedId === undefined ? undefined : latestSessions.get(onlyStartedId);
    const isStray = openSession !== undefined && !openSession.isClosed && !starts.has(originalEvent.session);
    const event: Event = isStray ? { ...originalEvent, session: openSession.id, isStray } : originalEvent;
    const latestSession = latestSessions.get(event.session);
    const reusesId = latestSession?.isClosed === true && isStart(event) && !wasDelayed(event, latestSession);
    if (latestSession === undefined || reusesId) {
      const start = starts.get(event.session);
      // A session without a visible start may have begun before the subscription.
      const isJoined = (start ?? first) < first || (isNegotiated && (sessions.length === 0 || start === undefined));
      // Number 0 is the first event of a session.
      const hasBeginning = isStart(event) || event.number === 0 || (event.era === 0 && !isJoined);
      const session = { id: event.session, reusesId, isClosed: false, hasBeginning, hasEnd: true };
      sessions.push({ ...session, events: [event] });
      latestSessions.set(event.session, sessions.at(-1) as TraceSession);
    } else latestSession.events.push(event);
    if (endings.has(event.name)) (latestSessions.get(event.session) as TraceSession).isClosed = true;
  }
  for (const session of sessions) session.hasEnd = session.isClosed || session.events.at(-1)?.era === gaps;
  return sessions;
}

/** Whether the start of a session was overtaken by its last event. */
function wasDelayed(start: Event, { events }: TraceSession): boolean {
  return !events.some(isStart) && isOvertaken(start, events.at(-1) as Event);
}

function isStart({ name }: Event): boolean {
  return name === "agent.session.started";
}
