import type { Result } from "../../../schemas/index.ts";

/** Questions in a row that time out or do not reach the target, after which the rest is not asked. */
const maxUnanswered = 50;
/** Milliseconds for which a target that has answered may be away, as when it is restarted. */
const toleratedAbsenceMs = 5000;

/** Watches for a target that has gone silent: for each result, why the run has to end, if it has to. */
export function watchSilence(): (result: Result) => string | undefined {
  let unanswered = 0;
  let lastAnswerAt = Number.NEGATIVE_INFINITY;
  return (result) => {
    if (result.outcome === "timed-out" || result.stage === "connect") unanswered += 1;
    else if (result.outcome !== "skipped") {
      unanswered = 0;
      lastAnswerAt = performance.now();
    }
    if (unanswered < maxUnanswered || performance.now() - lastAnswerAt < toleratedAbsenceMs) return undefined;
    const which = Number.isFinite(lastAnswerAt)
      ? `${unanswered} requests in a row`
      : `the first ${unanswered} requests`;
    return `${which} got no answer, the last: ${result.why}`;
  };
}
