import type { Breach, Checker } from "../../../../../schemas/index.ts";
import { consentCourseOf } from "./consent.ts";
import type { Event } from "./event.ts";
import type { SettledQuestion } from "./pending-consents.ts";
import { onRecording, type Recording } from "./recording.ts";

/** Checks of the events after the answer to a question. */
export const followingCheckers: readonly Checker[] = [
  onRecording("AAEP-CONF-023", function* (recording) {
    for (const settledQuestion of consentCourseOf(recording).settledQuestions)
      if (settledQuestion.outcome === "rejected") yield* findUnshownRejections(settledQuestion, recording);
  }),
  onRecording("AAEP-CONF-026", function* (recording) {
    for (const settledQuestion of consentCourseOf(recording).settledQuestions) {
      const { question, session, outcome, answer, nextEvent } = settledQuestion;
      const at = answer?.at ?? question.event.at;
      if (outcome === "rejected") continue;
      if (nextEvent === undefined && session.hasEnd)
        yield { at, why: `settles ${question.token}, but no event follows` };
      else if (isLate(settledQuestion, nextEvent))
        yield { at: nextEvent?.at ?? at, why: `follows ${question.token} by more than 5 s`, level: "SHOULD" };
    }
  }),
];

/** Finds rejections after which no event shows in time that the action was dropped. */
function* findUnshownRejections(settledQuestion: SettledQuestion, { merged }: Recording): Generator<Breach> {
  const { question, session, answer, nextEvent, dropEvent } = settledQuestion;
  const at = answer?.at ?? question.event.at;
  if (nextEvent === undefined) {
    if (session.hasEnd) yield { at, why: `rejects ${question.token}, but no event follows` };
  } else if (dropEvent === undefined) {
    const isHidden = merged.excludes("agent.state.changed", "agent.output.streaming", "agent.tool.completed");
    if (session.hasEnd && !isHidden && nextEvent.era === session.events.at(-1)?.era)
      yield {
        at: nextEvent.at,
        why: `does not show that the action of ${question.token} was dropped`,
        level: "SHOULD",
      };
  } else if (isLate(settledQuestion, dropEvent))
    yield { at: dropEvent.at, why: `shows the rejection of ${question.token} after more than 5 s`, level: "SHOULD" };
}

const maxDelayMs = 5000;

/** Whether an event is more than five seconds late by the recorder's clock. Without recorded times, no event is late. */
function isLate({ answer }: SettledQuestion, event: Event | undefined): boolean {
  return answer?.time !== undefined && event?.time !== undefined && event.time - answer.time > maxDelayMs;
}
