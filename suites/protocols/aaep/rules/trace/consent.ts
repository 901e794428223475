import { readOnce, type Sent } from "../../../../../generators/index.ts";
import { isObject, type Json } from "../../../../../schemas/index.ts";
import { noteCall, noteSuccess } from "./calls.ts";
import { type Event, endings, inOrderMade } from "./event.ts";
import { beginGoing, type PendingConsent, type SessionCourse, type SettledQuestion } from "./pending-consents.ts";
import { callOf, questionOf, replyOf, type TraceQuestion, weightOf } from "./question.ts";
import type { Recording } from "./recording.ts";
import type { TraceSession } from "./sessions.ts";
import { Audience } from "./standing.ts";

/** Follows each question to its end, and each call back to its permission, over all subscriptions. */
export const courseOf: (recording: Recording) => SessionCourse = readOnce(followCourse);

function followCourse(recording: Recording): SessionCourse {
  const { isTwoWay, streams } = recording;
  const isMute = streams.every(({ sent }) => isUnable(sent));
  const course: SessionCourse = { questions: [], settled: [], calls: [], isTwoWay, isMute };
  const homes = new Map(
    recording.all.sessions.flatMap((session) => session.events.map((event) => [event.index, { session, event }])),
  );
  const goings = new Map<TraceSession, PendingConsent>();
  const audience = new Audience(recording.sent, recording.gaps);
  const asked = new Map<string, { question: TraceQuestion; session: TraceSession }>();
  for (const sent of sentInOrder(recording)) {
    audience.see(sent);
    const home = homes.get(sent.index);
    if (home !== undefined) {
      const { session, event } = home;
      const going = goings.get(session) ?? beginGoing(audience);
      goings.set(session, going);
      const question = followEvent(course, session, going, event);
      if (question !== undefined) asked.set(question.token, { question, session });
      continue;
    }
    const reply = replyOf(sent);
    const known = reply === undefined ? undefined : asked.get(reply.token);
    const going = known === undefined ? undefined : goings.get(known.session);
    if (reply === undefined || known === undefined || going?.open.get(reply.token) !== known.question) continue;
    const weights = [audience.weigh(reply), weightOf(known.question, reply)];
    if (weights.includes("ignored")) continue;
    if (weights.includes("unsure")) {
      going.isUnsure = true;
      known.question.until = sent.index;
      going.open.delete(reply.token);
      continue;
    }
    const how =
      reply.kind === "clarification" ? "answered" : sent.message.decision === "accept" ? "accepted" : "rejected";
    settleQuestion(course, going, { ...known, how, by: sent, index: sent.index });
  }
  return course;
}

/** All messages. Events that a critical event has overtaken are placed before it: a call that the rate delayed does not follow the question. */
function sentInOrder({ sent, all }: Recording): readonly Sent[] {
  if (!all.isThrottled) return sent;
  const places = new Map(sent.map(({ index }) => [index, index]));
  for (const { events } of all.sessions) {
    let next = Number.POSITIVE_INFINITY;
    for (const { index } of inOrderMade(events).reverse()) {
      // An overtaken event is placed between the critical event and everything before that.
      if (index > next) places.set(index, next - 0.5);
      next = Math.min(next, index);
    }
  }
  const placeOf = ({ index }: Sent): number => places.get(index) ?? index;
  return [...sent].sort((one, other) => placeOf(one) - placeOf(other));
}

function settleQuestion({ settled }: SessionCourse, going: PendingConsent, settledQuestion: SettledQuestion): void {
  settledQuestion.question.until = settledQuestion.index;
  going.open.delete(settledQuestion.question.token);
  // The answer to a dropped question need not have an effect, but it may.
  const isDropped = settledQuestion.question.isDropped === true;
  if (!isDropped) {
    settled.push(settledQuestion);
    going.followed.push(settledQuestion);
  }
  going.isJustRejected = settledQuestion.how === "rejected";
  if (settledQuestion.how === "answered") return;
  going.last = settledQuestion;
  const call = callOf(settledQuestion.question);
  if (settledQuestion.how === "accepted") {
    going.grants.push(settledQuestion);
    if (!isDropped) going.unacted.push(settledQuestion);
    if (call !== undefined) going.refused.delete(call);
  } else {
    if (!isDropped) going.hidden.push(settledQuestion);
    if (call !== undefined) going.refused.set(call, settledQuestion);
  }
}

/**
 * How many milliseconds before its deadline a default may be carried out: an event loop counts timers from the beginning of its turn,
 * so they fire early.
 */
const earliness = 100;

/** Applies an event to the current state. Returns the question if the event is one. */
function followEvent(
  course: SessionCourse,
  session: TraceSession,
  going: PendingConsent,
  event: Event,
): TraceQuestion | undefined {
  for (const question of going.open.values()) {
    const fallback = question.event.message.default_decision === "accept" ? "accepted" : "rejected";
    const isDefaultAct = event.name === "agent.tool.invoked" && fallback === "accepted";
    const over = (question.deadline ?? Infinity) - (isDefaultAct ? earliness : 0);
    const isOver = (event.stamp ?? -Infinity) >= over;
    const gone = going.audience.isGone(question.kind);
    if (gone === "unsure" && !isOver) going.isUnsure = true;
    if (!isOver && (gone !== "counts" || question.kind === "clarification")) continue;
    const how = question.kind === "clarification" ? "answered" : fallback;
    settleQuestion(course, going, { question, session, how, index: event.index });
  }
  for (const settledQuestion of going.followed.splice(0)) settledQuestion.next = event;
  if (showsDrop(event)) for (const settledQuestion of going.hidden.splice(0)) settledQuestion.shown = event;
  noteState(going, event);
  const question = questionOf(event);
  if (question !== undefined) {
    course.questions.push(question);
    going.open.set(question.token, question);
    if (question.kind === "confirmation") going.asked += 1;
  }
  if (event.name === "agent.tool.invoked") noteCall(course, session, going, event);
  if (event.name === "agent.tool.completed") noteSuccess(course, going, event);
  if (endings.has(event.name)) {
    for (const left of going.open.values()) left.until = event.index;
    going.open.clear();
    going.grants = [];
  }
  return question;
}

/** A change of state may show that the only open question was dropped, or, after a rejection, that the agent thinks again. */
function noteState(going: PendingConsent, { name, agent, message }: Event): void {
  if (name !== "agent.state.changed") return;
  if (message.to_state !== "calling_tool") going.isJustRejected = false;
  const [only, ...others] = going.open.values();
  const isBack = message.to_state === "thinking" || message.to_state === "deciding";
  if (only !== undefined && others.length === 0 && isBack && only.event.agent === agent) only.isDropped = true;
}

/** The signs of a dropped action in the specification. */
function showsDrop({ name, message }: Event): boolean {
  if (name === "agent.state.changed") return message.to_state !== "awaiting_input";
  if (name === "agent.tool.completed") return message.status === "error";
  return name === "agent.output.streaming" || name === "agent.session.cancelled";
}

/** Whether a subscriber has made requests, but never offered to answer confirmations. */
function isUnable(sent: readonly Sent[]): boolean {
  const requests = sent.filter(({ from, message }) => from === "subscriber" && isObject(message.capabilities));
  return requests.length > 0 && !requests.some(({ message }) => canConfirm(message.capabilities));
}

function canConfirm(capabilities: Json | undefined): boolean {
  return isObject(capabilities) && capabilities.supports_confirmation_reply === true;
}
