import { type MistakenParty, type Mistakes, variantsOf } from "../../../../packs/reference/mistakes.ts";
import { type MailAgentPolicy, rightMailAgent } from "./policy.ts";

/** An agent with a mailbox and one wrong decision. */
export interface MailAgentVariant extends MistakenParty {
  policy: Partial<MailAgentPolicy>;
}

function breaks(rule: string, mistakes: Mistakes<Partial<MailAgentPolicy>, object>): MailAgentVariant[] {
  return variantsOf("policy", `MA2H-${rule}`, mistakes);
}

/** Agents that break one rule each. */
export const mailAgents: readonly MailAgentVariant[] = [
  ...breaks("CNS-002", {
    "": ["checks signatures but not forms", { isMalformed: () => false }],
    version: [
      "reads messages of older versions",
      {
        isMalformed: (entry) =>
          rightMailAgent.isMalformed({ ...entry, payload: { ...entry.payload, ma2h_version: "0.5" } }),
      },
    ],
  }),
  ...breaks("CNS-003", { "": ["hands whole entries to its actions", { actionInput: (payload) => payload }] }),
  ...breaks("CNS-006", { "": ["acts each time an entry arrives", { identityOf: () => undefined }] }),
  ...breaks("CNS-007", {
    "": ["acknowledges before it acts", { acknowledgesFirst: true }],
    key: ["acknowledges by keys of its own", { acknowledgedKey: ({ key }) => `own-${key}` }],
  }),
  ...breaks("CNS-008", {
    "": ["acts on asks from any agent", { trustsSender: () => true }],
    claim: [
      "believes the sender that an ask claims",
      {
        trustsSender: (payload, senders) =>
          rightMailAgent.trustsSender({ ...payload, from: `agent:${idOf(payload.agent)}` }, senders),
      },
    ],
  }),
  ...breaks("CNS-009", {
    "": [
      "drops entries that seem old",
      { rejectsByUnsigned: ({ created_at: createdAt }) => Date.parse(String(createdAt)) < Date.now() - 3_600_000 },
    ],
  }),
  ...breaks("CNS-011", {
    "": ["acts on an outcome once for each way it arrives", { identityOf: (key, channel) => `${channel} ${key}` }],
  }),
  ...breaks("CNS-013", {
    "": [
      "drops entries that are older than the latest",
      { isStale: ({ created_at: createdAt }, latest) => Date.parse(String(createdAt)) < latest },
    ],
  }),
  ...breaks("CNS-014", {
    "": ["registers again after its operator has stopped it", { returnsAfterStop: true }],
    silent: ["does not report a stop", { reportsFailures: false }],
  }),
  ...breaks("CNS-015", {
    "": ["registers again and again", { pauseMs: 10 }],
    submits: ["submits a refused message again and again", { maxTries: 20 }],
  }),
  ...breaks("CNS-018", {
    "": ["acknowledges entries of a stream without its session", { acknowledgesInSession: false }],
  }),
  ...breaks("SND-001", { "": ["addresses messages at any hub", { checksOffer: false }] }),
  ...breaks("SND-002", { "": ["counts any 202 as success", { requiresDestination: false }] }),
  ...breaks("SND-003", { "": ["leaves a misrouted ask to the people", { withdrawsMisrouted: false }] }),
  ...breaks("SND-004", { "": ["names no session in its messages", { namesSession: false }] }),
];

function idOf(agent: unknown): string {
  return typeof agent === "object" && agent !== null && "id" in agent ? String(agent.id) : "";
}
