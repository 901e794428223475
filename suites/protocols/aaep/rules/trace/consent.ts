import { readOnce, type Sent } from "../../../../../generators/index.ts";
import { isObject, type Json } from "../../../../../schemas/index.ts";
import { Audience } from "./audience.ts";
import { noteCall, noteSuccess } from "./calls.ts";
import { type Event, endings, sortByCreation } from "./event.ts";
import {
  type ConsentCourse,
  createPendingConsent,
  type PendingConsent,
  type SettledQuestion,
} from "./pending-consents.ts";
import { callIdOf, judgeReply, questionOf, replyOf, type TraceQuestion } from "./question.ts";
import type { Recording } from "./recording.ts";
import type { TraceSession } from "./sessions.ts";

/** Follows each question to its end, and finds what permitted each call, across all subscriptions. */
export const consentCourseOf: (recording: Recording) => ConsentCourse = readOnce(followCourse);

function followCourse(recording: Recording): ConsentCourse {
  const { isTwoWay, streams } = recording;
  const nobodyCanConfirm = streams.every(({ sent }) => cannotConfirm(sent));
  const course: ConsentCourse = { questions: [], settledQuestions: [], calls: [], isTwoWay, nobodyCanConfirm };
  const eventsByIndex = new Map(
    recording.merged.sessions.flatMap((session) => session.events.map((event) => [event.index, { session, event }])),
  );
  const consents = new Map<TraceSession, PendingConsent>();
  const audience = new Audience(recording.sent, recording.gaps);
  const askedQuestions = new Map<string, { question: TraceQuestion; session: TraceSession }>();
  for (const sent of inOrderOfCreation(recording)) {
    audience.follow(sent);
    const sessionEvent = eventsByIndex.get(sent.index);
    if (sessionEvent !== undefined) {
      const { session, event } = sessionEvent;
      const consent = consents.get(session) ?? createPendingConsent(audience);
      consents.set(session, consent);
      const question = followEvent(course, session, consent, event);
      if (question !== undefined) askedQuestions.set(question.token, { question, session });
      continue;
    }
    const reply = replyOf(sent);
    const askedQuestion = reply === undefined ? undefined : askedQuestions.get(reply.token);
    const consent = askedQuestion === undefined ? undefined : consents.get(askedQuestion.session);
    if (
      reply === undefined ||
      askedQuestion === undefined ||
      consent?.openQuestions.get(reply.token) !== askedQuestion.question
    )
      continue;
    const verdicts = [audience.judgeSender(reply), judgeReply(askedQuestion.question, reply)];
    if (verdicts.includes("ignored")) continue;
    if (verdicts.includes("unsure")) {
      consent.hasUncertainReply = true;
      askedQuestion.question.closedAt = sent.index;
      consent.openQuestions.delete(reply.token);
      continue;
    }
    const outcome = outcomeOf(reply.kind, sent.message.decision);
    settleQuestion(course, consent, { ...askedQuestion, outcome, answer: sent, index: sent.index });
  }
  return course;
}

function outcomeOf(kind: TraceQuestion["kind"], decision: Json | undefined): SettledQuestion["outcome"] {
  if (kind === "clarification") return "answered";
  return decision === "accept" ? "accepted" : "rejected";
}

/** Sorts messages by their creation: events that the rate delayed precede the critical event that has overtaken them. */
function inOrderOfCreation({ sent, merged }: Recording): readonly Sent[] {
  if (!merged.isThrottled) return sent;
  const positions = new Map(sent.map(({ index }) => [index, index]));
  for (const { events } of merged.sessions) {
    let nextCritical = Number.POSITIVE_INFINITY;
    for (const { index } of sortByCreation(events).reverse()) {
      // An overtaken event is placed just before the critical event.
      if (index > nextCritical) positions.set(index, nextCritical - 0.5);
      nextCritical = Math.min(nextCritical, index);
    }
  }
  const positionOf = ({ index }: Sent): number => positions.get(index) ?? index;
  return [...sent].sort((first, second) => positionOf(first) - positionOf(second));
}

function settleQuestion(
  { settledQuestions }: ConsentCourse,
  consent: PendingConsent,
  settledQuestion: SettledQuestion,
): void {
  settledQuestion.question.closedAt = settledQuestion.index;
  consent.openQuestions.delete(settledQuestion.question.token);
  // The answer to a dropped question may have an effect, but need not.
  const isDropped = settledQuestion.question.isDropped === true;
  if (!isDropped) {
    settledQuestions.push(settledQuestion);
    consent.awaitingNextEvent.push(settledQuestion);
  }
  consent.isJustRejected = settledQuestion.outcome === "rejected";
  if (settledQuestion.outcome === "answered") return;
  consent.lastSettled = settledQuestion;
  const callId = callIdOf(settledQuestion.question);
  if (settledQuestion.outcome === "accepted") {
    consent.unusedAcceptances.push(settledQuestion);
    if (!isDropped) consent.awaitingCall.push(settledQuestion);
    if (callId !== undefined) consent.rejectionsByCallId.delete(callId);
  } else {
    if (!isDropped) consent.awaitingDropEvent.push(settledQuestion);
    if (callId !== undefined) consent.rejectionsByCallId.set(callId, settledQuestion);
  }
}

/**
 * How early, in milliseconds, a default may take effect before its deadline. Timers may fire early, because an event loop counts
 * them from the beginning of its turn.
 */
const defaultTolerance = 100;

/** Applies an event to the course of its session. Returns the question if the event asks one. */
function followEvent(
  course: ConsentCourse,
  session: TraceSession,
  consent: PendingConsent,
  event: Event,
): TraceQuestion | undefined {
  for (const question of consent.openQuestions.values()) {
    const defaultOutcome = question.event.message.default_decision === "accept" ? "accepted" : "rejected";
    const isDefaultAct = event.name === "agent.tool.invoked" && defaultOutcome === "accepted";
    const endTime = (question.deadline ?? Infinity) - (isDefaultAct ? defaultTolerance : 0);
    const isOver = (event.stamp ?? -Infinity) >= endTime;
    const absence = consent.audience.judgeAbsence(question.kind);
    if (absence === "unsure" && !isOver) consent.hasUncertainReply = true;
    if (!isOver && (absence !== "counts" || question.kind === "clarification")) continue;
    const outcome = question.kind === "clarification" ? "answered" : defaultOutcome;
    settleQuestion(course, consent, { question, session, outcome, index: event.index });
  }
  for (const settledQuestion of consent.awaitingNextEvent.splice(0)) settledQuestion.nextEvent = event;
  if (showsDrop(event))
    for (const settledQuestion of consent.awaitingDropEvent.splice(0)) settledQuestion.dropEvent = event;
  noteState(consent, event);
  const question = questionOf(event);
  if (question !== undefined) {
    course.questions.push(question);
    consent.openQuestions.set(question.token, question);
    if (question.kind === "confirmation") consent.confirmations += 1;
  }
  if (event.name === "agent.tool.invoked") noteCall(course, session, consent, event);
  if (event.name === "agent.tool.completed") noteSuccess(course, consent, event);
  if (endings.has(event.name)) {
    for (const openQuestion of consent.openQuestions.values()) openQuestion.closedAt = event.index;
    consent.openQuestions.clear();
    consent.unusedAcceptances = [];
  }
  return question;
}

/** Notes a change of state. It may show that the only open question was dropped, or that the agent has moved on after a rejection. */
function noteState(consent: PendingConsent, { name, agent, message }: Event): void {
  if (name !== "agent.state.changed") return;
  if (message.to_state !== "calling_tool") consent.isJustRejected = false;
  const [onlyQuestion, ...otherQuestions] = consent.openQuestions.values();
  const hasReturned = message.to_state === "thinking" || message.to_state === "deciding";
  if (onlyQuestion !== undefined && otherQuestions.length === 0 && hasReturned && onlyQuestion.event.agent === agent)
    onlyQuestion.isDropped = true;
}

/** Whether an event shows that the action was dropped, according to the specification. */
function showsDrop({ name, message }: Event): boolean {
  if (name === "agent.state.changed") return message.to_state !== "awaiting_input";
  if (name === "agent.tool.completed") return message.status === "error";
  return name === "agent.output.streaming" || name === "agent.session.cancelled";
}

/** Whether a subscriber has sent requests, but never offered to answer confirmations. */
function cannotConfirm(sent: readonly Sent[]): boolean {
  const requests = sent.filter(({ from, message }) => from === "subscriber" && isObject(message.capabilities));
  return requests.length > 0 && !requests.some(({ message }) => canConfirm(message.capabilities));
}

function canConfirm(capabilities: Json | undefined): boolean {
  return isObject(capabilities) && capabilities.supports_confirmation_reply === true;
}
