import { type Mistaken, type Mistakes, variantsOf } from "../../../../packs/reference/mistakes.ts";
import { type MailAgentPolicy, rightMailAgent } from "./policy.ts";

/** An agent with a mailbox and one wrong decision. */
export interface MailAgentVariant extends Mistaken {
  policy: Partial<MailAgentPolicy>;
}

function breaks(rule: string, mistakes: Mistakes<Partial<MailAgentPolicy>, object>): MailAgentVariant[] {
  return variantsOf("policy", `MA2H-${rule}`, mistakes);
}

/** Agents that break one rule each. */
export const mailAgents: readonly MailAgentVariant[] = [
  ...breaks("CNS-002", {
    "": ["looks at signatures and not at forms", { isMisshapen: () => false }],
    version: [
      "reads messages of older versions",
      {
        isMisshapen: (entry) =>
          rightMailAgent.isMisshapen({ ...entry, payload: { ...entry.payload, ma2h_version: "0.5" } }),
      },
    ],
  }),
  ...breaks("CNS-003", { "": ["hands whole entries to its actions", { uses: (payload) => payload }] }),
  ...breaks("CNS-006", { "": ["acts each time that an entry comes", { sameness: () => undefined }] }),
  ...breaks("CNS-007", {
    "": ["acknowledges before it acts", { acknowledgesFirst: true }],
    key: ["acknowledges by keys of its own", { names: ({ key }) => `own-${key}` }],
  }),
  ...breaks("CNS-008", {
    "": ["acts on asks of any agent", { trusts: () => true }],
    claim: [
      "believes who an ask says that it is from",
      {
        trusts: (payload, senders) =>
          rightMailAgent.trusts({ ...payload, from: `agent:${nameIn(payload.agent)}` }, senders),
      },
    ],
  }),
  ...breaks("CNS-009", {
    "": [
      "drops entries that seem old",
      { doubts: ({ created_at: at }) => Date.parse(String(at)) < Date.now() - 3_600_000 },
    ],
  }),
  ...breaks("CNS-011", {
    "": ["acts once on each way to an outcome", { sameness: (key, way) => `${way} ${key}` }],
  }),
  ...breaks("CNS-013", {
    "": [
      "drops entries that are older than the last one",
      { isStale: ({ created_at: at }, latest) => Date.parse(String(at)) < latest },
    ],
  }),
  ...breaks("CNS-014", {
    "": ["registers again after its operator has stopped it", { returnsAfterStop: true }],
    silent: ["says nothing of a stop", { reports: false }],
  }),
  ...breaks("CNS-015", {
    "": ["registers again and again", { pause: 10 }],
    submits: ["submits a refused message again and again", { tries: 20 }],
  }),
  ...breaks("CNS-018", {
    "": ["acknowledges entries of a stream without its session", { acknowledgesInSession: false }],
  }),
  ...breaks("SND-001", { "": ["addresses messages at any hub", { detects: false }] }),
  ...breaks("SND-002", { "": ["counts any 202 as success", { wantsDestination: false }] }),
  ...breaks("SND-003", { "": ["leaves a misrouted ask to the people", { withdrawsMisrouted: false }] }),
  ...breaks("SND-004", { "": ["names no session in its messages", { namesSession: false }] }),
];

function nameIn(agent: unknown): string {
  return typeof agent === "object" && agent !== null && "id" in agent ? String(agent.id) : "";
}
