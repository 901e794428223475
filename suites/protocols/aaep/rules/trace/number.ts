import type { Breach, Checker } from "../../../../../schemas/index.ts";
import { eventNames } from "../event.ts";
import type { Event } from "./event.ts";
import { onRecording, onSessions, type Recording, type SubscriptionStream } from "./recording.ts";
import type { TraceSession } from "./sessions.ts";
import { agreedMember } from "./terms.ts";

/** The numbers of events. If a number is missing on every subscription, the producer is at fault. If another subscription has it, the event was lost on its way. */
export const numberCheckers: readonly Checker[] = [
  onRecording("AAEP-ENV-026", findMisnumbered),
  onSessions("AAEP-ENV-027", findUnnumbered),
  onRecording("AAEP-TRN-005", function* (recording) {
    for (const { event, lost } of findHoles(recording))
      if (lost !== undefined && !lost.isExcused)
        yield { at: event.at, why: `follows a hole: number ${lost.event.number} reached another subscription only` };
  }),
];

interface Hole {
  event: Event;
  expected: number;
  /** The event with this number on another subscription. */
  lost?: { event: Event; isExcused: boolean };
  /** Whether a number that is missing everywhere may belong to an event that this subscription need not get: a question, or an excluded type. */
  mayBeKept: boolean;
}

/** The gaps in the numbers of sessions. */
function* findHoles({ streams }: Recording): Generator<Hole> {
  const everywhere = new Map<string, Event>();
  for (const { events } of streams)
    for (const event of events) if (event.number !== undefined) everywhere.set(keyOf(event, event.number), event);
  for (const stream of streams) {
    if (stream.isThrottled || stream.keepsOut(...eventNames)) continue;
    for (const session of stream.sessions.filter(isNumbered)) yield* holesOfSession(session, stream, everywhere);
  }
}

/** The gaps of one session on one subscription, with the events of all subscriptions by number. */
function* holesOfSession(
  session: TraceSession,
  stream: SubscriptionStream,
  everywhere: ReadonlyMap<string, Event>,
): Generator<Hole> {
  let before: Event | undefined;
  for (const event of numberedEvents(session)) {
    const expected = (before?.number ?? -1) + 1;
    const isSeen = before === undefined ? session.begun : before.era === event.era;
    before = event;
    if (!isSeen || (event.number ?? 0) <= expected) continue;
    const lost = everywhere.get(keyOf(event, expected));
    yield {
      event,
      expected,
      mayBeKept:
        stream.mayLack() ||
        stream.terms.some(({ terms }) => supports.some((support) => agreedMember(terms, support) !== true)),
      ...(lost === undefined
        ? {}
        : { lost: { event: lost, isExcused: isUnanswerable(lost, stream) || stream.mayLack(lost.type) } }),
    };
  }
}

const supports = ["supports_confirmation_reply", "supports_clarification_reply"] as const;

/** A subscriber that cannot answer need not be asked. */
function isUnanswerable({ name }: Event, { terms }: SubscriptionStream): boolean {
  const support =
    name === "agent.awaiting.confirmation"
      ? "supports_confirmation_reply"
      : name === "agent.awaiting.clarification"
        ? "supports_clarification_reply"
        : undefined;
  return support !== undefined && terms.some((term) => agreedMember(term.terms, support) !== true);
}

function* findMisnumbered(recording: Recording): Generator<Breach> {
  for (const { event, expected, lost, mayBeKept } of findHoles(recording))
    if (lost === undefined && !mayBeKept)
      yield { at: `${event.at}/sequence_number`, why: `is ${event.number} where ${expected} is due` };
  for (const { sessions } of recording.streams)
    for (const session of sessions.filter(isNumbered)) yield* findRepeatedOrLate(session);
}

/** Finds numbers of a session that occur twice, or after a larger number with an earlier time. */
function* findRepeatedOrLate(session: TraceSession): Generator<Breach> {
  let before: Event | undefined;
  for (const event of numberedEvents(session)) {
    if (event.number === before?.number)
      yield { at: `${event.at}/sequence_number`, why: `is ${event.number} for the second time` };
    before = event;
  }
  for (const [index, event] of session.events.entries()) {
    const last = session.events[index - 1];
    if ((last?.number ?? 0) > (event.number ?? 0) && (last?.stamp ?? 0) < (event.stamp ?? 0))
      yield { at: `${event.at}/sequence_number`, why: `is ${event.number}, after ${last?.number}` };
  }
}

function isNumbered({ events }: TraceSession): boolean {
  return events.every(({ number }) => number !== undefined);
}

function numberedEvents({ events }: TraceSession): Event[] {
  return [...events].sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
}

function keyOf({ message }: Event, number: number): string {
  return JSON.stringify([message.session_id, number]);
}

function* findUnnumbered({ events: [first, ...rest] }: TraceSession): Generator<Breach> {
  const isCounted = first.message.sequence_number !== undefined;
  for (const { at, message } of rest) {
    const { sequence_number: number } = message;
    if (isCounted && number === undefined) yield { at, why: "lacks the sequence_number that its session began with" };
    if (!isCounted && number !== undefined)
      yield { at: `${at}/sequence_number`, why: `is ${number} in a session that began without numbers` };
  }
}
