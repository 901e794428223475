import { instant } from "../../../../../generators/index.ts";
import { type Breach, type Checker, isObject, type Json } from "../../../../../schemas/index.ts";
import { consentCourseOf } from "./consent.ts";
import { type Event, sortByCreation } from "./event.ts";
import type { TraceQuestion } from "./question.ts";
import { onRecording, type Recording } from "./recording.ts";
import type { TraceSession } from "./sessions.ts";

/** Checks of questions, and of the events while they are open. */
export const askingCheckers: readonly Checker[] = [
  onRecording("AAEP-CONF-025", findRepeatedQuestions),
  onRecording("AAEP-CONF-028", findMissingProgress),
  onRecording("AAEP-CONF-029", findMisplacedQuestions),
];

/** Finds questions about the same action, judged by its texts, as another open question. Another rule covers questions with the same token. */
function* findRepeatedQuestions(recording: Recording): Generator<Breach> {
  const questionsByAction = new Map<string, TraceQuestion>();
  const questionsByContent = new Map<string, TraceQuestion>();
  for (const question of consentCourseOf(recording).questions) {
    const { session, message, at } = question.event;
    const { action = null, consequence = null, extra_context: context = null } = message;
    if (question.kind !== "confirmation") continue;
    const isOpen = (otherQuestion: TraceQuestion | undefined): otherQuestion is TraceQuestion =>
      otherQuestion !== undefined &&
      otherQuestion.isDropped !== true &&
      otherQuestion.token !== question.token &&
      (otherQuestion.closedAt ?? Infinity) > question.event.index;
    const [actionKey, contentKey] = [
      canonicalText([session, action]),
      canonicalText([session, action, consequence, context]),
    ];
    const [sameAction, sameContent] = [questionsByAction.get(actionKey), questionsByContent.get(contentKey)];
    questionsByAction.set(actionKey, question);
    questionsByContent.set(contentKey, question);
    if (isOpen(sameContent)) yield { at, why: `repeats the question ${sameContent.token}, which is still open` };
    else if (isOpen(sameAction))
      yield { at, why: `asks for the action of ${sameAction.token}, which is still open`, level: "SHOULD" };
  }
}

/** Serializes a value with sorted members, so that equal values have equal texts. */
function canonicalText(value: Json): string {
  const sortMembers = (_: string, part: Json): Json =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part;
  return JSON.stringify(value, sortMembers);
}

/** Finds open questions without a progress report when half or a tenth of their time is left. */
function* findMissingProgress(recording: Recording): Generator<Breach> {
  const { settledQuestions, isTwoWay } = consentCourseOf(recording);
  if (!isTwoWay || recording.merged.excludes("agent.progress.updated")) return;
  const stampsBySession = new Map<TraceSession, number[]>();
  for (const { question, session, answer } of settledQuestions) {
    const { stamp, message, at } = question.event;
    const { timeout_seconds: seconds } = message;
    const end = answer === undefined ? question.deadline : instant(answer.message.timestamp);
    if (typeof seconds !== "number" || seconds <= 60 || stamp === undefined || end === undefined) continue;
    if (session.events[0].era !== session.events.at(-1)?.era) continue;
    const stamps = stampsBySession.get(session) ?? progressTimes(session);
    stampsBySession.set(session, stamps);
    // Two seconds, or 5 % of the timeout.
    const tolerance = Math.max(2000, seconds * 50);
    for (const share of [0.5, 0.9]) {
      const dueTime = stamp + seconds * 1000 * share;
      const nearestUpdate = stamps[firstIndexFrom(stamps, dueTime - tolerance)] ?? Infinity;
      if (end > dueTime + tolerance && nearestUpdate > dueTime + tolerance)
        yield { at, why: `is open for ${seconds} s, and after ${share * seconds} s no progress is reported` };
    }
  }
}

function progressTimes({ events }: TraceSession): number[] {
  return events
    .flatMap(({ name, stamp }) => (name === "agent.progress.updated" && stamp !== undefined ? [stamp] : []))
    .sort((a, b) => a - b);
}

/** Finds the index of the first of the sorted numbers that is not below the bound. */
function firstIndexFrom(numbers: readonly number[], bound: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether an uncritical event follows a question. It cannot overtake others, so all events that waited before it have arrived. */
function isFollowed(events: readonly Event[], question: Event): boolean {
  return events.slice(events.indexOf(question) + 1).some(({ isCritical }) => !isCritical);
}

/** Finds questions outside of the state `awaiting_input`, and sessions that complete in that state although every question is settled. */
function* findMisplacedQuestions(recording: Recording): Generator<Breach> {
  if (recording.merged.excludes("agent.state.changed")) return;
  const { settledQuestions } = consentCourseOf(recording);
  const lastSettledQuestions = new Map(
    settledQuestions.map((settledQuestion) => [settledQuestion.session, settledQuestion]),
  );
  for (const session of recording.merged.sessions) {
    const phases = new Map<string, { phase: Json | undefined; era: number }>();
    const [firstEvent] = session.events;
    const events = recording.merged.isThrottled ? sortByCreation(session.events) : session.events;
    for (const event of events) {
      const { name, agent, message, at, era } = event;
      const knownPhase =
        phases.get(agent) ?? (session.hasBeginning ? { phase: "idle", era: firstEvent.era } : undefined);
      if (name === "agent.state.changed") phases.set(agent, { phase: message.to_state, era });
      if (name?.startsWith("agent.awaiting.") !== true || knownPhase?.era !== era) continue;
      if (knownPhase.phase === "awaiting_input" || (recording.merged.isThrottled && !isFollowed(events, event)))
        continue;
      yield { at, why: `is asked in the state ${knownPhase.phase}` };
    }
    const lastEvent = session.events.at(-1) as Event;
    const lastPhase = phases.get(lastEvent.agent);
    // Another rule requires an event that shows a rejection.
    const isSettledWithoutRejection = (lastSettledQuestions.get(session)?.outcome ?? "rejected") !== "rejected";
    if (
      isSettledWithoutRejection &&
      lastEvent.name === "agent.session.completed" &&
      lastPhase?.era === lastEvent.era &&
      lastPhase.phase === "awaiting_input"
    )
      yield { at: lastEvent.at, why: "completes a session that still awaits input" };
  }
}
