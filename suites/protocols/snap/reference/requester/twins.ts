import { rightRequesterDecisions } from "./policy.ts";
import type { RequesterDecisions } from "./requester.ts";

/** A requester that follows every rule, but uses some freedoms differently from the reference. */
export interface RequesterTwin {
  name: string;
  /** Completes "a requester that …". */
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
      checkedMembers: { time: false, sender: false, recipient: false },
      pauseAfter: () => undefined,
      resumes: false,
    },
  },
  {
    name: "demanding",
    says: "accepts no unsigned messages, and waits longer than required",
    freedoms: ["unsigned-answers"],
    policy: {
      acceptsUnsigned: false,
      pauseAfter(failure, attempts, pauses) {
        const pause = rightRequesterDecisions.pauseAfter(failure, attempts, pauses);
        return pause === undefined ? undefined : pause + 300;
      },
    },
  },
];
