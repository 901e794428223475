import { isIrreversible } from "../consent.ts";
import type { Event } from "./event.ts";
import type { ConsentCall, PendingConsent, SessionCourse, SettledQuestion } from "./pending-consents.ts";
import { callOf, type TraceQuestion } from "./question.ts";
import type { TraceSession } from "./sessions.ts";

/** Records a call, its permission, and the acceptance that it uses. */
export function noteCall(course: SessionCourse, session: TraceSession, going: PendingConsent, event: Event): void {
  const { tool_call_id: id, irreversible, risk_level: risk } = event.message;
  const call: ConsentCall = { event, isIrreversible: irreversible === true };
  if (going.isJustRejected && irreversible === undefined && risk === undefined) call.isHasty = true;
  going.isJustRejected = false;
  course.calls.push(call);
  going.calls.set(keyOf(event), call);
  const refusal = typeof id === "string" ? going.refused.get(id) : undefined;
  const { last, grants } = going;
  if (refusal !== undefined) Object.assign(call, { lack: "rejected", against: refusal, isNamed: true });
  else if (call.isIrreversible || risk === "high") {
    const grant = useGrant(grants, id);
    if (grant === undefined) Object.assign(call, missingPermission(course, session, going, event));
    else {
      going.taken += 1;
      followCall(going, grant, event);
    }
  } else if (risk === "medium" && last?.how === "rejected" && grants.length === 0 && isAsRisky(last, event))
    call.against = last;
  followCall(
    going,
    going.unacted.find((settledQuestion) => isActOn(settledQuestion, event)),
    event,
  );
}

function followCall(going: PendingConsent, each: SettledQuestion | undefined, event: Event): void {
  if (each === undefined || going.calls.get(keyOf(event))?.isCounted === true) return;
  const call = going.calls.get(keyOf(event));
  if (call !== undefined) call.isCounted = true;
  each.acted = event;
  going.unacted = going.unacted.filter((other) => other !== each);
}

/** Whether a call may be the accepted action. If the action is irreversible, the call must be marked so, or have the same risk as its question. */
function isActOn(settledQuestion: SettledQuestion, event: Event): boolean {
  const { question } = settledQuestion;
  const call = callOf(question);
  if (call !== undefined) return call === event.message.tool_call_id;
  const isGrave = event.message.risk_level === "high" || event.message.risk_level === "medium";
  return (
    !isIrreversible(question.event.message) ||
    event.message.irreversible === true ||
    (isGrave && isAsRisky(settledQuestion, event))
  );
}

/** Uses the acceptance that names the call, or one without a name. */
function useGrant(grants: SettledQuestion[], id: unknown): SettledQuestion | undefined {
  const named = grants.findIndex(({ question }) => callOf(question) === id && id !== undefined);
  const index = named === -1 ? grants.findIndex(({ question }) => callOf(question) === undefined) : named;
  return index === -1 ? undefined : grants.splice(index, 1)[0];
}

function missingPermission(
  { isTwoWay, isMute }: SessionCourse,
  session: TraceSession,
  going: PendingConsent,
  event: Event,
): Partial<ConsentCall> {
  const { open, last, asked, taken, audience } = going;
  const { risk_level: risk = "low" } = event.message;
  if (!isTwoWay && asked > taken) {
    going.taken += 1;
    return {};
  }
  const isUnseen = going.isUnsure || !session.begun || event.era !== session.events[0].era;
  if (isUnseen || (isMute && risk === "low")) return {};
  const pending = [...open.values()].filter(({ kind }) => kind === "confirmation");
  // If one subscriber that could answer has left, the default may be applied at once, even if others remain.
  const isDefaulted = ({ event: { message, index } }: TraceQuestion): boolean =>
    message.default_decision === "accept" && audience.hasLost(index);
  if (isTwoWay && pending.some(isDefaulted)) return {};
  if (isTwoWay && pending.length > 0) return { lack: "pending" };
  if (last?.how === "rejected")
    return { lack: "rejected", ...(isAsRisky(last, event) || event.message.irreversible ? { against: last } : {}) };
  return { lack: taken > 0 ? "spent" : "unasked" };
}

function isAsRisky({ question }: SettledQuestion, { message }: Event): boolean {
  return question.event.message.risk_level === message.risk_level;
}

/** Records a report of success. */
export function noteSuccess({ isTwoWay }: SessionCourse, going: PendingConsent, event: Event): void {
  const { tool_call_id: id, status } = event.message;
  const call = going.calls.get(keyOf(event));
  if (call === undefined) return;
  if (status !== "success" || !isTwoWay || going.isUnsure) return;
  if (call.isHasty) call.isUntold = true;
  const isNamed = typeof id === "string" && [...going.open.values()].some((question) => callOf(question) === id);
  const isRefused = typeof id === "string" && going.refused.has(id);
  const isUnpermitted = call.isIrreversible && call.lack !== undefined;
  const [grant] = going.grants;
  if (isNamed || isRefused) Object.assign(call, { claim: event, isClaimByName: !isUnpermitted });
  else if (isUnpermitted && grant !== undefined && grant.index > call.event.index) grant.early = event;
  else if (isUnpermitted && grant === undefined && (going.open.size > 0 || going.last?.how === "rejected"))
    call.claim = event;
}

/** The key that a call shares with its completion. */
function keyOf({ message: { tool_call_id: id, tool } }: Event): string {
  return typeof id === "string" ? `id ${id}` : `tool ${String(tool)}`;
}
