import { isIrreversible } from "../consent.ts";
import type { Event } from "./event.ts";
import type { ConsentCall, ConsentCourse, PendingConsent, SettledQuestion } from "./pending-consents.ts";
import { callIdOf, type TraceQuestion } from "./question.ts";
import type { TraceSession } from "./sessions.ts";

/** Notes a call, with the acceptance that it uses or the permission that it lacks. */
export function noteCall(course: ConsentCourse, session: TraceSession, consent: PendingConsent, event: Event): void {
  const { tool_call_id: id, irreversible, risk_level: risk } = event.message;
  const call: ConsentCall = { event, isIrreversible: irreversible === true };
  if (consent.isJustRejected && irreversible === undefined && risk === undefined)
    call.followsRejectionWithoutRisk = true;
  consent.isJustRejected = false;
  course.calls.push(call);
  consent.callsByKey.set(keyOf(event), call);
  const rejection = typeof id === "string" ? consent.rejectionsByCallId.get(id) : undefined;
  const { lastSettled, unusedAcceptances } = consent;
  if (rejection !== undefined) {
    call.missing = "rejected";
    call.ignoredRejection = rejection;
    call.isNamedByQuestion = true;
  } else if (call.isIrreversible || risk === "high") {
    const grant = useAcceptance(unusedAcceptances, id);
    if (grant === undefined) Object.assign(call, missingPermission(course, session, consent, event));
    else {
      consent.usedAcceptances += 1;
      linkCallToAcceptance(consent, grant, event);
    }
  } else if (
    risk === "medium" &&
    lastSettled?.outcome === "rejected" &&
    unusedAcceptances.length === 0 &&
    isAsRisky(lastSettled, event)
  )
    call.ignoredRejection = lastSettled;
  linkCallToAcceptance(
    consent,
    consent.awaitingCall.find((settledQuestion) => mayBeAcceptedAction(settledQuestion, event)),
    event,
  );
}

/** Notes that a call follows an acceptance, unless it follows another one already. */
function linkCallToAcceptance(
  consent: PendingConsent,
  settledQuestion: SettledQuestion | undefined,
  event: Event,
): void {
  if (settledQuestion === undefined || consent.callsByKey.get(keyOf(event))?.usesAcceptance === true) return;
  const call = consent.callsByKey.get(keyOf(event));
  if (call !== undefined) call.usesAcceptance = true;
  settledQuestion.followingCall = event;
  consent.awaitingCall = consent.awaitingCall.filter((otherQuestion) => otherQuestion !== settledQuestion);
}

/** Whether a call may be the accepted action. A call of an irreversible action must say so, or state the same risk as the question. */
function mayBeAcceptedAction(settledQuestion: SettledQuestion, event: Event): boolean {
  const { question } = settledQuestion;
  const callId = callIdOf(question);
  if (callId !== undefined) return callId === event.message.tool_call_id;
  const isRisky = event.message.risk_level === "high" || event.message.risk_level === "medium";
  return (
    !isIrreversible(question.event.message) ||
    event.message.irreversible === true ||
    (isRisky && isAsRisky(settledQuestion, event))
  );
}

/** Uses up the acceptance of the named call, or else an acceptance without a named call. */
function useAcceptance(acceptances: SettledQuestion[], id: unknown): SettledQuestion | undefined {
  const namedIndex = acceptances.findIndex(({ question }) => callIdOf(question) === id && id !== undefined);
  const index =
    namedIndex === -1 ? acceptances.findIndex(({ question }) => callIdOf(question) === undefined) : namedIndex;
  return index === -1 ? undefined : acceptances.splice(index, 1)[0];
}

/** Explains why a call without an unused acceptance has no permission. Empty if the acceptance may not have been recorded. */
function missingPermission(
  { isTwoWay, nobodyCanConfirm }: ConsentCourse,
  session: TraceSession,
  consent: PendingConsent,
  event: Event,
): Partial<ConsentCall> {
  const { openQuestions, lastSettled, confirmations, usedAcceptances, audience } = consent;
  const { risk_level: risk = "low" } = event.message;
  if (!isTwoWay && confirmations > usedAcceptances) {
    consent.usedAcceptances += 1;
    return {};
  }
  const mayHaveUnseenPermission =
    consent.hasUncertainReply || !session.hasBeginning || event.era !== session.events[0].era;
  if (mayHaveUnseenPermission || (nobodyCanConfirm && risk === "low")) return {};
  const pendingConfirmations = [...openQuestions.values()].filter(({ kind }) => kind === "confirmation");
  // If one subscriber that could answer has left, the default may be applied immediately, even if others remain.
  const mayHaveDefault = ({ event: { message, index } }: TraceQuestion): boolean =>
    message.default_decision === "accept" && audience.hasClosedSince(index);
  if (isTwoWay && pendingConfirmations.some(mayHaveDefault)) return {};
  if (isTwoWay && pendingConfirmations.length > 0) return { missing: "pending" };
  if (lastSettled?.outcome === "rejected")
    return {
      missing: "rejected",
      ...(isAsRisky(lastSettled, event) || event.message.irreversible ? { ignoredRejection: lastSettled } : {}),
    };
  return { missing: usedAcceptances > 0 ? "spent" : "unasked" };
}

/** Whether a call states the same risk as a question. */
function isAsRisky({ question }: SettledQuestion, { message }: Event): boolean {
  return question.event.message.risk_level === message.risk_level;
}

/** Notes a completion that reports success. It may be a false report, or precede a late acceptance. */
export function noteSuccess({ isTwoWay }: ConsentCourse, consent: PendingConsent, event: Event): void {
  const { tool_call_id: id, status } = event.message;
  const call = consent.callsByKey.get(keyOf(event));
  if (call === undefined) return;
  if (status !== "success" || !isTwoWay || consent.hasUncertainReply) return;
  if (call.followsRejectionWithoutRisk) call.succeedsAfterRejection = true;
  const isNamedByOpenQuestion =
    typeof id === "string" && [...consent.openQuestions.values()].some((question) => callIdOf(question) === id);
  const isRejectedById = typeof id === "string" && consent.rejectionsByCallId.has(id);
  const isUnpermitted = call.isIrreversible && call.missing !== undefined;
  const [grant] = consent.unusedAcceptances;
  if (isNamedByOpenQuestion || isRejectedById) {
    call.falseReport = event;
    call.isFalseOnlyById = !isUnpermitted;
  } else if (isUnpermitted && grant !== undefined && grant.index > call.event.index) grant.earlyCompletion = event;
  else if (
    isUnpermitted &&
    grant === undefined &&
    (consent.openQuestions.size > 0 || consent.lastSettled?.outcome === "rejected")
  )
    call.falseReport = event;
}

/** Makes the key that a call shares with its completion. */
function keyOf({ message: { tool_call_id: id, tool } }: Event): string {
  return typeof id === "string" ? `id ${id}` : `tool ${String(tool)}`;
}
