import { rightRequesterDecisions } from "./policy.ts";
import type { RequesterDecisions } from "./requester.ts";

/** A requester that keeps every rule, and uses some freedoms otherwise than the reference does. */
export interface RequesterTwin {
  name: string;
  /** The description of a requester, to follow the word `that`. */
  says: string;
  freedoms: readonly string[];
  policy: Partial<RequesterDecisions>;
}

export const requesterTwins: readonly RequesterTwin[] = [
  {
    name: "trusting",
    says: "believes the connection in all but signatures, and tries once",
    freedoms: ["requester-checks", "retries", "stale-responses"],
    policy: {
      minds: { time: false, sender: false, recipient: false },
      wait: () => undefined,
      resumes: false,
    },
  },
  {
    name: "demanding",
    says: "accepts nothing unsigned, and waits longer than it must",
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
