import type { Result } from "../../../schemas/index.ts";

/** The number of consecutive questions without an answer after which the run ends. */
const maxUnanswered = 50;
/** Milliseconds for which a target that has answered may be unreachable, for example during a restart. */
const toleratedAbsenceMs = 5000;

/** Watches for a target that has gone silent. The returned function is to be called with each result, and returns the reason to end the run, if there is one. */
export function watchSilence(): (result: Result) => string | undefined {
  let unansweredCount = 0;
  let lastAnswerAt = Number.NEGATIVE_INFINITY;
  return (result) => {
    if (result.outcome === "timed-out" || result.stage === "connect") unansweredCount += 1;
    else if (result.outcome !== "skipped") {
      unansweredCount = 0;
      lastAnswerAt = performance.now();
    }
    if (unansweredCount < maxUnanswered || performance.now() - lastAnswerAt < toleratedAbsenceMs) return undefined;
    const requestsText = Number.isFinite(lastAnswerAt)
      ? `${unansweredCount} requests in a row`
      : `the first ${unansweredCount} requests`;
    const isGone = result.stage === "connect" && !Number.isFinite(lastAnswerAt);
    const hint = isGone ? "; if the target was running, one of these messages ended it: its own output says which" : "";
    return `${requestsText} got no answer, the last: ${result.why}${hint}`;
  };
}
