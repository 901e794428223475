import { formatHolds } from "../../../../generators/index.ts";
import { type Checker, isObject } from "../../../../schemas/index.ts";

/** The form of a moment in RFC 3339, which the protocol requires in replies. Libraries accept various other forms as well. */
const form = /^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})$/;

/** The rule for each kind of reply. Its schema also states the rule, except for points about which validators disagree. */
const rules = { "confirmation.reply": "AAEP-RPL-003", "clarification.reply": "AAEP-RPL-004" } as const;

/** The time of a reply's decision. */
export const momentCheckers: readonly Checker[] = Object.entries(rules).map(([document, rule]) => ({
  rule,
  documents: [document],
  *check(reply) {
    const { timestamp } = isObject(reply) ? reply : {};
    if (typeof timestamp !== "string" || form.test(timestamp)) return;
    if (formatHolds("date-time", timestamp) === undefined)
      yield { at: "/timestamp", why: `is ${JSON.stringify(timestamp)}, which RFC 3339 does not write so` };
  },
}));
