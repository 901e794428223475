import { instant } from "../../../../../generators/index.ts";
import { type Breach, type Checker, isObject, type Json } from "../../../../../schemas/index.ts";
import { courseOf } from "./consent.ts";
import { type Event, inOrderMade } from "./event.ts";
import type { TraceQuestion } from "./question.ts";
import { onRecording, type Recording } from "./recording.ts";
import type { TraceSession } from "./sessions.ts";

/** The deadline of a question, and the events until then. */
export const askingCheckers: readonly Checker[] = [
  onRecording("AAEP-CONF-025", findRepeatedQuestions),
  onRecording("AAEP-CONF-028", findUncounted),
  onRecording("AAEP-CONF-029", findMisplacedQuestions),
];

/** The same action, judged by the texts, that is asked for again while the question is open. Another rule covers questions with the same token. */
function* findRepeatedQuestions(recording: Recording): Generator<Breach> {
  const actions = new Map<string, TraceQuestion>();
  const wholes = new Map<string, TraceQuestion>();
  for (const question of courseOf(recording).questions) {
    const { session, message, at } = question.event;
    const { action = null, consequence = null, extra_context: context = null } = message;
    if (question.kind !== "confirmation") continue;
    const isOpen = (other: TraceQuestion | undefined): other is TraceQuestion =>
      other !== undefined &&
      other.isDropped !== true &&
      other.token !== question.token &&
      (other.until ?? Infinity) > question.event.index;
    const [similar, same] = [textOf([session, action]), textOf([session, action, consequence, context])];
    const [first, whole] = [actions.get(similar), wholes.get(same)];
    actions.set(similar, question);
    wholes.set(same, question);
    if (isOpen(whole)) yield { at, why: `asks what ${whole.token} asks, which is still open` };
    else if (isOpen(first))
      yield { at, why: `asks for the action of ${first.token}, which is still open`, level: "SHOULD" };
  }
}

/** A text that is equal for equal values, whatever the order of their members. */
function textOf(value: Json): string {
  const inOrder = (_: string, each: Json): Json =>
    isObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each;
  return JSON.stringify(value, inOrder);
}

/** Checks progress when half, and when a tenth, of the time of an open question is left. */
function* findUncounted(recording: Recording): Generator<Breach> {
  const { settled, isTwoWay } = courseOf(recording);
  if (!isTwoWay || recording.all.keepsOut("agent.progress.updated")) return;
  const updates = new Map<TraceSession, number[]>();
  for (const { question, session, by } of settled) {
    const { stamp, message, at } = question.event;
    const { timeout_seconds: seconds } = message;
    const end = by === undefined ? question.deadline : instant(by.message.timestamp);
    if (typeof seconds !== "number" || seconds <= 60 || stamp === undefined || end === undefined) continue;
    if (session.events[0].era !== session.events.at(-1)?.era) continue;
    const stamps = updates.get(session) ?? updatesOf(session);
    updates.set(session, stamps);
    const slack = Math.max(2000, seconds * 50);
    for (const share of [0.5, 0.9]) {
      const due = stamp + seconds * 1000 * share;
      const nearest = stamps[firstFrom(stamps, due - slack)] ?? Infinity;
      if (end > due + slack && nearest > due + slack)
        yield { at, why: `is open for ${seconds} s, and after ${share * seconds} s no progress is reported` };
    }
  }
}

function updatesOf({ events }: TraceSession): number[] {
  return events
    .flatMap(({ name, stamp }) => (name === "agent.progress.updated" && stamp !== undefined ? [stamp] : []))
    .sort((a, b) => a - b);
}

/** The index of the first number that is not below the bound. */
function firstFrom(numbers: readonly number[], bound: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether an event came after a question that could not overtake other events. All events that waited before it have then arrived. */
function isFollowed(events: readonly Event[], question: Event): boolean {
  return events.slice(events.indexOf(question) + 1).some(({ isCritical }) => !isCritical);
}

/** Finds a question outside of `awaiting_input`, and a session that completes in that state although every question is settled. */
function* findMisplacedQuestions(recording: Recording): Generator<Breach> {
  if (recording.all.keepsOut("agent.state.changed")) return;
  const { settled } = courseOf(recording);
  const lastSettled = new Map(settled.map((settledQuestion) => [settledQuestion.session, settledQuestion]));
  for (const session of recording.all.sessions) {
    const phases = new Map<string, { phase: Json | undefined; era: number }>();
    const [first] = session.events;
    const events = recording.all.isThrottled ? inOrderMade(session.events) : session.events;
    for (const event of events) {
      const { name, agent, message, at, era } = event;
      const known = phases.get(agent) ?? (session.begun ? { phase: "idle", era: first.era } : undefined);
      if (name === "agent.state.changed") phases.set(agent, { phase: message.to_state, era });
      if (name?.startsWith("agent.awaiting.") !== true || known?.era !== era) continue;
      if (known.phase === "awaiting_input" || (recording.all.isThrottled && !isFollowed(events, event))) continue;
      yield { at, why: `is asked in the state ${known.phase}` };
    }
    const last = session.events.at(-1) as Event;
    const end = phases.get(last.agent);
    // Another rule requires an event that shows a rejection.
    const isSettled = (lastSettled.get(session)?.how ?? "rejected") !== "rejected";
    if (isSettled && last.name === "agent.session.completed" && end?.era === last.era && end.phase === "awaiting_input")
      yield { at: last.at, why: "completes a session that still awaits input" };
  }
}
