import type { LiveChoice } from "../../../../../schemas/index.ts";
import { type MistakenParty, type Mistakes, variantsOf } from "../../../../packs/reference/mistakes.ts";
import type { ReceiverPolicy } from "./receiver.ts";

/** A receiver that breaks one rule. */
export type BrokenReceiver = MistakenParty & { policy: Partial<ReceiverPolicy> };

function breaks(rule: string, mistakes: Mistakes<Partial<ReceiverPolicy>>): BrokenReceiver[] {
  return variantsOf("policy", rule, mistakes);
}

/** Receivers that break one rule each. */
export const brokenReceivers: readonly BrokenReceiver[] = [
  ...breaks("A2A-HOOK-012", {
    "": ["answers valid calls with 500", { successStatus: 500 }],
    redirect: ["answers valid calls with 302", { successStatus: 302 }],
  }),
  ...breaks("A2A-HOOK-013", {
    "": ["does not check credentials", { strangerStatus: undefined }],
    longer: [
      "accepts a credential with trailing characters",
      { matchesCredential: (received, configured) => received.startsWith(configured) },
    ],
    shorter: [
      "accepts a prefix of a credential",
      {
        matchesCredential: (received, configured) => received.split(" ").length > 1 && configured.startsWith(received),
      },
    ],
    case: [
      "compares credentials case-insensitively",
      { matchesCredential: (received, configured) => received.toLowerCase() === configured.toLowerCase() },
    ],
    scheme: [
      "accepts a secret under any scheme",
      { matchesCredential: (received, configured) => received.split(" ")[1] === configured.split(" ")[1] },
    ],
  }),
  ...breaks("A2A-HOOK-014", {
    "": ["acts on calls about any task", { foreignTaskStatus: undefined }],
  }),
  ...breaks("A2A-HOOK-015", {
    "": ["acts twice on the same call", { isRepetition: () => false }],
  }),
];

/** A choice of a receiver, with the decisions that it replaces. */
export interface ReceiverChoice extends Omit<LiveChoice, "side"> {
  policy: Partial<ReceiverPolicy>;
}

/** All choices of a correct receiver that the reference itself does not make. */
export const receiverChoices: readonly ReceiverChoice[] = [
  {
    name: "answers-without-content",
    kind: "freedom",
    freedoms: [],
    says: "answers valid calls with 204",
    policy: { successStatus: 204 },
  },
  {
    name: "forbids-strangers",
    kind: "freedom",
    freedoms: [],
    says: "answers calls without a credential with 403",
    policy: { strangerStatus: 403 },
  },
  {
    name: "wants-basic-credentials",
    kind: "freedom",
    freedoms: [],
    says: "expects Basic credentials",
    policy: { scheme: "Basic" },
  },
  {
    name: "reads-calls-late",
    kind: "tempo",
    freedoms: [],
    says: "waits 100 milliseconds before it reads a call",
    policy: { readDelay: 100 },
  },
];
