import { formatHolds } from "../../../../generators/index.ts";
import { type Checker, isObject } from "../../../../schemas/index.ts";

/** The form of a time in RFC 3339, which the protocol requires in replies. Libraries also accept various other forms. */
const rfc3339Pattern =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})$/;

/** The rule for each kind of reply. Its schema states the rule as well, except for the points on which validators disagree. */
const ruleByDocument = { "confirmation.reply": "AAEP-RPL-003", "clarification.reply": "AAEP-RPL-004" } as const;

/** Checks of the timestamps of replies. */
export const replyTimeCheckers: readonly Checker[] = Object.entries(ruleByDocument).map(([document, rule]) => ({
  rule,
  documents: [document],
  *check(reply) {
    const { timestamp } = isObject(reply) ? reply : {};
    if (typeof timestamp !== "string" || rfc3339Pattern.test(timestamp)) return;
    if (formatHolds("date-time", timestamp) === undefined)
      yield { at: "/timestamp", why: `is ${JSON.stringify(timestamp)}, which is not a time of RFC 3339` };
  },
}));
