import type { Checker } from "../../../../../schemas/index.ts";
import { onCalls } from "./permission.ts";

/** Checks of calls after a rejection. */
export const rejectionCheckers: readonly Checker[] = [
  onCalls(
    "AAEP-CONF-022",
    function* ({ event, isIrreversible, isNamedByQuestion, ignoredRejection, succeedsAfterRejection }) {
      if (ignoredRejection === undefined && succeedsAfterRejection === true)
        yield { at: event.at, why: "immediately follows a rejection, succeeds, and states no risk", level: "SHOULD" };
      if (ignoredRejection === undefined) return;
      const why = `follows the rejection of ${ignoredRejection.question.token}`;
      yield { at: event.at, why, ...(isIrreversible || isNamedByQuestion ? {} : { level: "SHOULD" }) };
    },
  ),
  onCalls("AAEP-CONF-024", function* ({ falseReport, isFalseOnlyById }) {
    const why = "reports the success of an action that was not accepted";
    // Some producers name the call in the question; the specification does not require it.
    if (falseReport !== undefined)
      yield { at: falseReport.at, why, ...(isFalseOnlyById === true ? { level: "SHOULD" } : {}) };
  }),
];
