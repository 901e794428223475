import type { PartyTwin } from "../variant.ts";
import type { SubscriberPolicy } from "./model.ts";

/** Subscribers that break no rule, and use the freedoms that the protocol leaves. */
export const subscriberTwins: readonly PartyTwin<SubscriberPolicy>[] = [
  {
    name: "talkative",
    freedoms: ["token-level-output", "interruptions"],
    policy: {
      announces: (item) => ({ ...item, text: `Listen. ${item.text}` }),
      utters: (hint) => hint !== "none",
    },
  },
  // Which notes an event that is not valid, and presents it nevertheless.
  { name: "forgiving", freedoms: [], policy: { dropsInvalid: false } },
];
