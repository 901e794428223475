import type { PartyTwin } from "../party-variant.ts";
import type { SubscriberPolicy } from "./model.ts";

/** Subscribers that break no rule, but use the freedoms of the protocol. */
export const subscriberTwins: readonly PartyTwin<SubscriberPolicy>[] = [
  {
    name: "talkative",
    freedoms: ["token-level-output", "interruptions"],
    policy: {
      changeAnnouncement: (item) => ({ ...item, text: `Listen. ${item.text}` }),
      announcesAt: (hint) => hint !== "none",
    },
  },
  // It notes that an event is invalid, but presents it anyway.
  { name: "forgiving", freedoms: [], policy: { dropsInvalid: false } },
];
