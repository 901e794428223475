import type { Breach, Checker } from "../../../../../schemas/index.ts";
import { courseOf } from "./consent.ts";
import { type Event, endings, isOvertaken } from "./event.ts";
import { onRecording, onSessions, type Recording, type SubscriptionStream } from "./recording.ts";
import type { TraceSession } from "./sessions.ts";

/** The beginning and end of sessions. Each fault is reported once, under the most specific rule that it breaks. */
export const lifecycleCheckers: readonly Checker[] = [
  onSessions("AAEP-LIFE-001", findLateStarts),
  onSessions("AAEP-LIFE-002", function* ({ id, events }) {
    const [, ...again] = events.filter(isStart);
    for (const { at } of again) yield { at: `${at}/type`, why: `starts ${id} again, which is still open` };
  }),
  onRecording("AAEP-LIFE-003", findWrongEnds),
  onSessions("AAEP-LIFE-004", function* ({ id, events }, { isThrottled }) {
    const end = events.find(isEnd);
    for (const event of end === undefined ? [] : events.slice(events.indexOf(end) + 1)) {
      const isHeld = isThrottled && isOvertaken(event, end as Event);
      if (!isEnd(event) && !isHeld) yield { at: event.at, why: `comes after ${end?.type}, which closed ${id}` };
    }
  }),
  onSessions("AAEP-LIFE-005", function* ({ id, events }) {
    for (const { at, message, isStray } of events)
      if (isStray) yield { at: `${at}/session_id`, why: `is ${message.session_id}, in the session ${id}` };
  }),
  onSessions("AAEP-LIFE-006", function* ({ id, events: [start], isAgain }) {
    if (isAgain) yield { at: `${start.at}/session_id`, why: `is ${id}, the id of a session that is over` };
  }),
  onSessions("AAEP-HAND-004", function* ({ events }) {
    const handoff = events.findIndex(({ name }) => name === "agent.handoff.requested");
    for (const event of handoff === -1 ? [] : events.slice(handoff + 1))
      if (event.name === "agent.tool.invoked")
        yield { at: event.at, why: `calls a tool after the handoff at ${events[handoff]?.at}` };
  }),
];

const isStart = ({ name }: Event): boolean => name === "agent.session.started";
const isEnd = ({ name }: Event): boolean => endings.has(name);

function* findLateStarts(
  { id, events: [first, ...rest], begun }: TraceSession,
  { keepsOut, isThrottled }: SubscriptionStream,
): Generator<Breach> {
  const isHeld = isThrottled && rest.some((event) => isStart(event) && isOvertaken(event, first));
  if (begun && !isStart(first) && !isHeld && !keepsOut("agent.session.started"))
    yield { at: `${first.at}/type`, why: `is ${first.type} where ${id} has to start` };
}

function* findWrongEnds(recording: Recording): Generator<Breach> {
  const silent = findSilentSessions(recording);
  for (const { sessions, keepsOut } of recording.streams) {
    for (const { id, events, ended } of sessions) {
      const [end, ...more] = events.filter(isEnd);
      for (const { at } of more) yield { at: `${at}/type`, why: `closes ${id} again, which ${end?.type} had closed` };
      const last = events.at(-1) as Event;
      // If a producer is silent after an answer, that is the fault.
      const isDue = end === undefined && ended && !silent.has(id);
      if (isDue && !keepsOut("agent.session.completed", "agent.session.cancelled"))
        yield { at: last.at, why: `is the last event of ${id}, and does not close it` };
    }
  }
}

/** The sessions without an event after the answer to a question. */
function findSilentSessions(recording: Recording): ReadonlySet<string> {
  const { settled } = courseOf(recording);
  return new Set(settled.flatMap(({ session, next }) => (next === undefined ? [session.id] : [])));
}
