import type { Checker } from "../../../../../schemas/index.ts";
import { onCalls } from "./permission.ts";

/** The prohibitions after a rejection. */
export const rejectionCheckers: readonly Checker[] = [
  onCalls("AAEP-CONF-022", function* ({ event, isIrreversible, isNamed, against: rejection, isUntold: statesNoRisk }) {
    if (rejection === undefined && statesNoRisk === true)
      yield { at: event.at, why: "follows a rejection at once, succeeds, and states no risk", level: "SHOULD" };
    if (rejection === undefined) return;
    const why = `comes after the rejection of ${rejection.question.token}`;
    yield { at: event.at, why, ...(isIrreversible || isNamed ? {} : { level: "SHOULD" }) };
  }),
  onCalls("AAEP-CONF-024", function* ({ claim, isClaimByName }) {
    const why = "reports the success of an action that was not accepted";
    // Some producers name the call in the question; the specification does not require it.
    if (claim !== undefined) yield { at: claim.at, why, ...(isClaimByName === true ? { level: "SHOULD" } : {}) };
  }),
];
