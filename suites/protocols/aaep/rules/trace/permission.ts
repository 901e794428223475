import type { Breach, Checker } from "../../../../../schemas/index.ts";
import { consentCourseOf } from "./consent.ts";
import type { ConsentCall, MissingPermission } from "./pending-consents.ts";
import { onRecording } from "./recording.ts";

/** Checks that irreversible and risky calls were permitted. The rule that an unpermitted call breaks depends on the cause. */
export const permissionCheckers: readonly Checker[] = [
  onCalls("AAEP-TOOL-004", function* ({ event, isIrreversible, missing }) {
    if (isIrreversible && (missing === "unasked" || missing === "pending"))
      yield { at: event.at, why: `is an irreversible call${reasons[missing]}` };
  }),
  onCalls("AAEP-TOOL-005", function* ({ event, isIrreversible, missing, ignoredRejection }) {
    if (!isIrreversible && missing !== undefined && ignoredRejection === undefined)
      yield { at: event.at, why: `is a call of high risk${reasons[missing]}` };
  }),
  onCalls("AAEP-CONF-027", function* ({ event, isIrreversible, missing }) {
    if (isIrreversible && missing === "spent")
      yield { at: event.at, why: `is an irreversible call${reasons[missing]}` };
  }),
  onRecording("AAEP-CONF-021", function* (recording) {
    if (recording.merged.excludes("agent.tool.invoked")) return;
    for (const { outcome, answer, question, session, followingCall, earlyCompletion } of consentCourseOf(recording)
      .settledQuestions) {
      const [firstEvent, lastEvent] = [session.events[0], session.events.at(-1)];
      const isComplete =
        session.hasBeginning && firstEvent.era === lastEvent?.era && lastEvent.name === "agent.session.completed";
      if (outcome !== "accepted" || followingCall !== undefined) continue;
      if (earlyCompletion !== undefined)
        yield { at: earlyCompletion.at, why: "reports a call that was not announced after its acceptance" };
      else if (isComplete && answer?.message.modified_action === undefined)
        yield { at: answer?.at ?? question.event.at, why: "is not followed by a call", level: "SHOULD" };
    }
  }),
];

const reasons: Readonly<Record<MissingPermission, string>> = {
  unasked: " without a question before it",
  pending: " whose question is not answered yet",
  rejected: " that was rejected",
  spent: ", but other calls have used every acceptance before it",
};

/** Makes a checker of a rule about calls. */
export function onCalls(rule: string, check: (call: ConsentCall) => Iterable<Breach>): Checker {
  return onRecording(rule, function* (recording) {
    for (const call of consentCourseOf(recording).calls) yield* check(call);
  });
}
