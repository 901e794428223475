import { rightRequesterDecisions } from "./policy.ts";
import type { RequesterDecisions } from "./requester.ts";

/** A requester that breaks no rule, but uses some freedoms differently from the reference. */
export interface RequesterTwin {
  name: string;
  /** The description of a requester, as it follows the word `that`. */
  says: string;
  freedoms: readonly string[];
  policy: Partial<RequesterDecisions>;
}

export const requesterTwins: readonly RequesterTwin[] = [
  {
    name: "trusting",
    says: "trusts the connection in everything but signatures, and tries once",
    freedoms: ["requester-checks", "retries", "stale-responses"],
    policy: {
      minds: { time: false, sender: false, recipient: false },
      wait: () => undefined,
      resumes: false,
    },
  },
  {
    name: "demanding",
    says: "accepts no unsigned messages, and waits longer than required",
    freedoms: ["unsigned-answers"],
    policy: {
      takesUnsigned: false,
      wait(failure, attempts, pauses) {
        const wait = rightRequesterDecisions.wait(failure, attempts, pauses);
        return wait === undefined ? undefined : wait + 300;
      },
    },
  },
];
