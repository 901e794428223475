import { type Conduct, right } from "./conduct.ts";

/** An agent that keeps every rule, and uses some freedoms otherwise than the reference does. */
export interface AgentTwin {
  name: string;
  freedoms: readonly string[];
  conduct: Partial<Conduct>;
}

export const agentTwins: readonly AgentTwin[] = [
  {
    name: "lenient",
    freedoms: ["reply-values", "fourth-attempt", "acknowledges"],
    conduct: {
      report: (report) => ({ ...report, severity: "LOW", can_retry: true, requires_human: true }),
      pauseAfter: (attempts) => (attempts < 4 ? 1000 * 2 ** (attempts - 1) : undefined),
      cueAck: (phase, cue) =>
        right.cueAck(phase, cue) ?? { message_type: "ack.received", coordination_ack: { cue_id: cue } },
    },
  },
  {
    name: "strict",
    freedoms: ["send-fills"],
    conduct: { judgesFirst: () => true },
  },
];
