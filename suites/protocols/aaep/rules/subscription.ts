import { type Checker, isObject } from "../../../../schemas/index.ts";

/** What a subscriber's messages have to say. */
export const subscriptionCheckers: readonly Checker[] = [
  {
    rule: "AAEP-HS-014",
    documents: ["subscription.request"],
    *check(request) {
      const { capabilities } = isObject(request) ? request : {};
      if (!isObject(capabilities)) return;
      const { supported_conformance_levels: levels, supports_confirmation_reply: replies = false } = capabilities;
      if (Array.isArray(levels) && (levels.includes(2) || levels.includes(3)) && replies === false)
        yield { at: "/capabilities", why: "claims level 2 or 3 without support for replies to confirmations" };
    },
  },
  {
    rule: "AAEP-HS-025",
    documents: ["subscription-change"],
    *check(change) {
      if (!isObject(change)) return;
      for (const name of ["subscription_id", "capabilities"]) {
        const isNeeded = name === "subscription_id" || change.type === "subscription.renegotiate";
        if (isNeeded && change[name] === undefined) yield { at: "", why: `has no ${name}` };
      }
    },
  },
];
