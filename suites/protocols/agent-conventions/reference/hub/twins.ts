import { type HubConduct, right } from "./hub.ts";

/** A hub that keeps every rule, and uses some freedoms otherwise than the reference does. */
export interface HubTwin {
  name: string;
  freedoms: readonly string[];
  conduct: Partial<HubConduct>;
}

export const hubTwins: readonly HubTwin[] = [
  {
    name: "by-the-table",
    freedoms: ["ack-route"],
    conduct: { route: (category, specific) => (category === "ack" ? undefined : right.route(category, specific)) },
  },
  { name: "writing", freedoms: [], conduct: { invalid: () => ({ isHandedOn: false, error: "sent" }) } },
  { name: "one-by-one", freedoms: ["cue-recipients"], conduct: { recipients: (targets) => targets } },
];
