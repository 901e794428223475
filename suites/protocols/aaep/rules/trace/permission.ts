import type { Breach, Checker } from "../../../../../schemas/index.ts";
import { courseOf } from "./consent.ts";
import type { ConsentCall, Lack } from "./pending-consents.ts";
import { onRecording } from "./recording.ts";

/** The requirements before an irreversible or risky call. A call without permission breaks one rule, depending on the cause. */
export const permissionCheckers: readonly Checker[] = [
  onCalls("AAEP-TOOL-004", function* ({ event, isIrreversible, lack }) {
    if (isIrreversible && (lack === "unasked" || lack === "pending"))
      yield { at: event.at, why: `is an irreversible call${reasons[lack]}` };
  }),
  onCalls("AAEP-TOOL-005", function* ({ event, isIrreversible, lack, against }) {
    if (!isIrreversible && lack !== undefined && against === undefined)
      yield { at: event.at, why: `is a call of high risk${reasons[lack]}` };
  }),
  onCalls("AAEP-CONF-027", function* ({ event, isIrreversible, lack }) {
    if (isIrreversible && lack === "spent") yield { at: event.at, why: `is an irreversible call${reasons[lack]}` };
  }),
  onRecording("AAEP-CONF-021", function* (recording) {
    if (recording.all.keepsOut("agent.tool.invoked")) return;
    for (const { how, by, question, session, acted, early } of courseOf(recording).settled) {
      const [first, last] = [session.events[0], session.events.at(-1)];
      const isComplete = session.begun && first.era === last?.era && last.name === "agent.session.completed";
      if (how !== "accepted" || acted !== undefined) continue;
      if (early !== undefined)
        yield { at: early.at, why: `reports a call that was not announced after its acceptance` };
      else if (isComplete && by?.message.modified_action === undefined)
        yield { at: by?.at ?? question.event.at, why: "is followed by no call", level: "SHOULD" };
    }
  }),
];

const reasons: Readonly<Record<Lack, string>> = {
  unasked: " for which nothing was asked",
  pending: " whose confirmation is not answered yet",
  rejected: " whose confirmation was rejected",
  spent: ", and every acceptance before it was for another",
};

/** Checks a rule about calls. */
export function onCalls(rule: string, check: (call: ConsentCall) => Iterable<Breach>): Checker {
  return onRecording(rule, function* (recording) {
    for (const call of courseOf(recording).calls) yield* check(call);
  });
}
