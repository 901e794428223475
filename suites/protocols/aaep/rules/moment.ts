import { formatHolds } from "../../../../generators/index.ts";
import { type Checker, isObject } from "../../../../schemas/index.ts";

/** As RFC 3339 writes a moment, which the protocol asks of replies; what their libraries take besides differs. */
const form = /^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})$/;

/** The rule on each kind of reply, which its schema states but for what validators of it differ on. */
const rules = { "confirmation.reply": "AAEP-RPL-003", "clarification.reply": "AAEP-RPL-004" } as const;

/** When a reply was decided. */
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
