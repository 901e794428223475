import type { Breach, Checker } from "../../../../../schemas/index.ts";
import { eventNames } from "../event.ts";
import type { Event } from "./event.ts";
import { onRecording, onSessions, type Recording, type SubscriptionStream } from "./recording.ts";
import type { TraceSession } from "./sessions.ts";
import { agreedMember } from "./terms.ts";

/** Checks of the numbers of events. A number missing on every subscription is the producer's fault. If another subscription received it, the event was lost. */
export const numberCheckers: readonly Checker[] = [
  onRecording("AAEP-ENV-026", findWrongNumbers),
  onSessions("AAEP-ENV-027", findPartlyNumbered),
  onRecording("AAEP-TRN-005", function* (recording) {
    for (const { event, lostEvent } of findNumberGaps(recording))
      if (lostEvent !== undefined && !lostEvent.isExcused)
        yield {
          at: event.at,
          why: `follows a gap: number ${lostEvent.event.number} only reached another subscription`,
        };
  }),
];

interface NumberGap {
  event: Event;
  expected: number;
  /** The event with the missing number on another subscription. */
  lostEvent?: { event: Event; isExcused: boolean };
  /** Whether the missing number may belong to an event that this subscription need not receive: a question, or an event of an excluded type. */
  mayBeWithheld: boolean;
}

/** Finds gaps in the numbers of sessions. */
function* findNumberGaps({ streams }: Recording): Generator<NumberGap> {
  const eventsByNumber = new Map<string, Event>();
  for (const { events } of streams)
    for (const event of events) if (event.number !== undefined) eventsByNumber.set(keyOf(event, event.number), event);
  for (const stream of streams) {
    if (stream.isThrottled || stream.excludes(...eventNames)) continue;
    for (const session of stream.sessions.filter(isNumbered)) yield* findGapsOfSession(session, stream, eventsByNumber);
  }
}

/** Finds the gaps of one session on one subscription, given the events of all subscriptions by number. */
function* findGapsOfSession(
  session: TraceSession,
  stream: SubscriptionStream,
  eventsByNumber: ReadonlyMap<string, Event>,
): Generator<NumberGap> {
  let previousEvent: Event | undefined;
  for (const event of numberedEvents(session)) {
    const expected = (previousEvent?.number ?? -1) + 1;
    const isContinuous = previousEvent === undefined ? session.hasBeginning : previousEvent.era === event.era;
    previousEvent = event;
    if (!isContinuous || (event.number ?? 0) <= expected) continue;
    const deliveredEvent = eventsByNumber.get(keyOf(event, expected));
    yield {
      event,
      expected,
      mayBeWithheld:
        stream.mayExclude() ||
        stream.terms.some(({ terms }) =>
          replyCapabilities.some((capability) => agreedMember(terms, capability) !== true),
        ),
      ...(deliveredEvent === undefined
        ? {}
        : {
            lostEvent: {
              event: deliveredEvent,
              isExcused: isUnanswerable(deliveredEvent, stream) || stream.mayExclude(deliveredEvent.type),
            },
          }),
    };
  }
}

/** The capability that a subscriber needs to answer each question. */
const capabilityByQuestion: Readonly<Record<string, string>> = {
  "agent.awaiting.confirmation": "supports_confirmation_reply",
  "agent.awaiting.clarification": "supports_clarification_reply",
};
const replyCapabilities = Object.values(capabilityByQuestion);

/** Whether an event is a question that the subscriber may be unable to answer, and therefore need not receive. */
function isUnanswerable({ name }: Event, { terms }: SubscriptionStream): boolean {
  const capability = capabilityByQuestion[name ?? ""];
  return capability !== undefined && terms.some((term) => agreedMember(term.terms, capability) !== true);
}

function* findWrongNumbers(recording: Recording): Generator<Breach> {
  for (const { event, expected, lostEvent, mayBeWithheld } of findNumberGaps(recording))
    if (lostEvent === undefined && !mayBeWithheld)
      yield { at: `${event.at}/sequence_number`, why: `is ${event.number}, expected ${expected}` };
  for (const { sessions } of recording.streams)
    for (const session of sessions.filter(isNumbered)) yield* findRepeatedOrLateNumbers(session);
}

/** Finds numbers of a session that occur twice, or after a larger number with an earlier time. */
function* findRepeatedOrLateNumbers(session: TraceSession): Generator<Breach> {
  let previousEvent: Event | undefined;
  for (const event of numberedEvents(session)) {
    if (event.number === previousEvent?.number)
      yield { at: `${event.at}/sequence_number`, why: `is ${event.number} for the second time` };
    previousEvent = event;
  }
  for (const [index, event] of session.events.entries()) {
    const previousEvent = session.events[index - 1];
    if ((previousEvent?.number ?? 0) > (event.number ?? 0) && (previousEvent?.stamp ?? 0) < (event.stamp ?? 0))
      yield { at: `${event.at}/sequence_number`, why: `is ${event.number}, after ${previousEvent?.number}` };
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

function* findPartlyNumbered({ events: [firstEvent, ...otherEvents] }: TraceSession): Generator<Breach> {
  const hasNumbers = firstEvent.message.sequence_number !== undefined;
  for (const { at, message } of otherEvents) {
    const { sequence_number: number } = message;
    if (hasNumbers && number === undefined)
      yield { at, why: "lacks a sequence_number, in a session that began with numbers" };
    if (!hasNumbers && number !== undefined)
      yield { at: `${at}/sequence_number`, why: `is ${number} in a session that began without numbers` };
  }
}
