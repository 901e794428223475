import type { Breach, Checker } from "../../../../../schemas/index.ts";
import { consentCourseOf } from "./consent.ts";
import { type Event, endings, isOvertaken } from "./event.ts";
import { onRecording, onSessions, type Recording, type SubscriptionStream } from "./recording.ts";
import type { TraceSession } from "./sessions.ts";

/** Checks of the start and the end of sessions. Each fault is reported once, under the most specific rule that it breaks. */
export const lifecycleCheckers: readonly Checker[] = [
  onSessions("AAEP-LIFE-001", findLateStarts),
  onSessions("AAEP-LIFE-002", function* ({ id, events }) {
    const [, ...laterStarts] = events.filter(isStart);
    for (const { at } of laterStarts) yield { at: `${at}/type`, why: `starts ${id}, which is still open` };
  }),
  onRecording("AAEP-LIFE-003", findWrongEnds),
  onSessions("AAEP-LIFE-004", function* ({ id, events }, { isThrottled }) {
    const end = events.find(isEnd);
    for (const event of end === undefined ? [] : events.slice(events.indexOf(end) + 1)) {
      const wasDelayed = isThrottled && isOvertaken(event, end as Event);
      if (!isEnd(event) && !wasDelayed) yield { at: event.at, why: `follows ${end?.type}, which has closed ${id}` };
    }
  }),
  onSessions("AAEP-LIFE-005", function* ({ id, events }) {
    for (const { at, message, isStray } of events)
      if (isStray) yield { at: `${at}/session_id`, why: `is ${message.session_id}, in the session ${id}` };
  }),
  onSessions("AAEP-LIFE-006", function* ({ id, events: [start], reusesId }) {
    if (reusesId) yield { at: `${start.at}/session_id`, why: `is ${id}, the id of a session that is over` };
  }),
  onSessions("AAEP-HAND-004", function* ({ events }) {
    const handoffIndex = events.findIndex(({ name }) => name === "agent.handoff.requested");
    for (const event of handoffIndex === -1 ? [] : events.slice(handoffIndex + 1))
      if (event.name === "agent.tool.invoked")
        yield { at: event.at, why: `calls a tool after the handoff at ${events[handoffIndex]?.at}` };
  }),
];

const isStart = ({ name }: Event): boolean => name === "agent.session.started";
const isEnd = ({ name }: Event): boolean => endings.has(name);

function* findLateStarts(
  { id, events: [firstEvent, ...otherEvents], hasBeginning }: TraceSession,
  { excludes, isThrottled }: SubscriptionStream,
): Generator<Breach> {
  const wasDelayed = isThrottled && otherEvents.some((event) => isStart(event) && isOvertaken(event, firstEvent));
  if (hasBeginning && !isStart(firstEvent) && !wasDelayed && !excludes("agent.session.started"))
    yield { at: `${firstEvent.at}/type`, why: `is ${firstEvent.type}, but ${id} has not started` };
}

function* findWrongEnds(recording: Recording): Generator<Breach> {
  const silentSessions = findSilentSessions(recording);
  for (const { sessions, excludes } of recording.streams) {
    for (const { id, events, hasEnd } of sessions) {
      const [end, ...laterEnds] = events.filter(isEnd);
      for (const { at } of laterEnds)
        yield { at: `${at}/type`, why: `closes ${id}, which ${end?.type} has closed already` };
      const lastEvent = events.at(-1) as Event;
      // Silence after an answer breaks another rule.
      const isUnclosed = end === undefined && hasEnd && !silentSessions.has(id);
      if (isUnclosed && !excludes("agent.session.completed", "agent.session.cancelled"))
        yield { at: lastEvent.at, why: `is the last event of ${id}, and does not close it` };
    }
  }
}

/** Finds the ids of sessions without an event after the answer to a question. */
function findSilentSessions(recording: Recording): ReadonlySet<string> {
  const { settledQuestions } = consentCourseOf(recording);
  return new Set(settledQuestions.flatMap(({ session, nextEvent }) => (nextEvent === undefined ? [session.id] : [])));
}
