import type { Breach, Checker } from "../../../../../schemas/index.ts";
import { courseOf } from "./consent.ts";
import type { Event } from "./event.ts";
import type { SettledQuestion } from "./pending-consents.ts";
import { onRecording, type Recording } from "./recording.ts";

/** The events after the answer to a question. */
export const followingCheckers: readonly Checker[] = [
  onRecording("AAEP-CONF-023", function* (recording) {
    for (const settledQuestion of courseOf(recording).settled)
      if (settledQuestion.how === "rejected") yield* findUnshownDecisions(settledQuestion, recording);
  }),
  onRecording("AAEP-CONF-026", function* (recording) {
    for (const settledQuestion of courseOf(recording).settled) {
      const { question, session, how, by, next } = settledQuestion;
      const at = by?.at ?? question.event.at;
      if (how === "rejected") continue;
      if (next === undefined && session.ended) yield { at, why: `settles ${question.token}, and nothing follows` };
      else if (isLate(settledQuestion, next))
        yield { at: next?.at ?? at, why: `follows ${question.token} by more than 5 s`, level: "SHOULD" };
    }
  }),
];

/** Finds rejections that are not shown in time: no event follows, only a different one, or a late one. */
function* findUnshownDecisions(settledQuestion: SettledQuestion, { all }: Recording): Generator<Breach> {
  const { question, session, by, next, shown } = settledQuestion;
  const at = by?.at ?? question.event.at;
  if (next === undefined) {
    if (session.ended) yield { at, why: `rejects ${question.token}, and nothing follows` };
  } else if (shown === undefined) {
    const isHidden = all.keepsOut("agent.state.changed", "agent.output.streaming", "agent.tool.completed");
    if (session.ended && !isHidden && next.era === session.events.at(-1)?.era)
      yield { at: next.at, why: `does not show that the action of ${question.token} was dropped`, level: "SHOULD" };
  } else if (isLate(settledQuestion, shown))
    yield { at: shown.at, why: `shows the rejection of ${question.token} after more than 5 s`, level: "SHOULD" };
}

/** Compares times of the recorder's clock; without them no event is late. */
function isLate({ by }: SettledQuestion, event: Event | undefined): boolean {
  return by?.time !== undefined && event?.time !== undefined && event.time - by.time > 5000;
}
