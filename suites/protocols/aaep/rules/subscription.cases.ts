import { add, remove } from "../../../../generators/index.ts";
import type { Cases, Json } from "../../../../schemas/index.ts";
import { request } from "./messages.ts";

const claim = (levels: number[], more: Record<string, Json> = {}) =>
  request({ supported_conformance_levels: levels, ...more });
const able = { supports_confirmation_reply: true };
const levels = "/capabilities/supported_conformance_levels";
const renegotiation = { type: "subscription.renegotiate", subscription_id: "sub_p4" };

export const cases: readonly Cases[] = [
  {
    rule: "AAEP-HS-014",
    document: "subscription.request",
    valid: [
      { name: "level-two", at: "/capabilities", says: "claims level 2 and takes replies", data: claim([1, 2], able) },
      {
        name: "level-three-alone",
        at: "/capabilities",
        says: "claims level 3 and takes replies",
        data: claim([3], able),
        edge: true,
      },
      {
        name: "level-one",
        at: "/capabilities",
        says: "claims level 1 alone",
        data: claim([1], { supports_confirmation_reply: false }),
        edge: true,
      },
      { name: "no-claim", at: "/capabilities", says: "claims no level", data: request(), edge: true },
    ],
    invalid: [
      {
        name: "unsaid",
        at: "/capabilities",
        says: "claims level 2 and says nothing of replies",
        change: remove("/capabilities/supports_confirmation_reply"),
      },
      { name: "denied", says: "is false at level 2", change: add("/capabilities/supports_confirmation_reply", false) },
      {
        name: "denied-at-level-three",
        from: "level-three-alone",
        says: "is false at level 3",
        change: add("/capabilities/supports_confirmation_reply", false),
      },
      {
        name: "clarifications-alone",
        at: "/capabilities",
        says: "takes replies to clarifications alone at level 2",
        change: [
          ...remove("/capabilities/supports_confirmation_reply"),
          ...add("/capabilities/supports_clarification_reply", true),
        ],
      },
      {
        name: "level-added",
        from: "level-one",
        at: levels,
        says: "claims level 3 without replies",
        change: add(`${levels}/1`, 3),
      },
    ],
  },
  {
    rule: "AAEP-HS-025",
    document: "subscription-change",
    valid: [
      {
        name: "renegotiation",
        says: "names the subscription and the new terms",
        data: { ...renegotiation, capabilities: { max_events_per_second: 1, cognitive_load: "low" } },
      },
      {
        name: "no-new-terms",
        at: "/capabilities",
        says: "is empty",
        data: { ...renegotiation, capabilities: {} },
        edge: true,
      },
      {
        name: "close",
        says: "names the subscription and says why",
        data: {
          type: "subscription.close",
          subscription_id: "sub_p4",
          reason_code: "reader_is_closing",
          reason_message: "The reader is being closed.",
        },
      },
      {
        name: "close-without-reason",
        says: "names the subscription and gives no reason",
        data: { type: "subscription.close", subscription_id: "sub_p4" },
        edge: true,
      },
    ],
    invalid: [
      { name: "renegotiation-of-nothing", at: "", says: "names no subscription", change: remove("/subscription_id") },
      { name: "renegotiation-to-nothing", at: "", says: "names no terms", change: remove("/capabilities") },
      {
        name: "close-of-nothing",
        from: "close",
        at: "",
        says: "names no subscription",
        change: remove("/subscription_id"),
      },
      {
        name: "close-turned-renegotiation",
        from: "close",
        at: "",
        says: "names no terms",
        change: add("/type", "subscription.renegotiate"),
      },
    ],
  },
];
