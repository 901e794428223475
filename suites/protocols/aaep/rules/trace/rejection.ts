import type { RuleFamily } from "../../../../../schemas/index.ts";
import { onCalls } from "./permission.ts";
import { rejectionCases } from "./rejection.cases.ts";

/** What a rejection forbids. */
export const rejection: RuleFamily = {
  name: "rejection",
  checkers: [
    onCalls("AAEP-CONF-022", function* ({ event, isIrreversible, isNamed, against }) {
      if (against === undefined) return;
      const why = `comes after the rejection of ${against.question.token}`;
      yield { at: event.at, why, ...(isIrreversible || isNamed ? {} : { level: "SHOULD" }) };
    }),
    onCalls("AAEP-CONF-024", function* ({ claim }) {
      if (claim !== undefined) yield { at: claim.at, why: "reports the success of an action that nobody has accepted" };
    }),
  ],
  cases: rejectionCases,
};
