import type { AgentPolicy } from "./policy.ts";

/** An agent that keeps every rule, but makes permitted decisions that differ from those of the reference. */
export interface AgentTwin {
  name: string;
  policy: Partial<AgentPolicy>;
  /** The rules that cannot be tested with this agent. */
  untestableRules?: readonly string[];
}

export const agentTwins: readonly AgentTwin[] = [
  {
    name: "stateless",
    policy: { sealState: () => undefined, acceptsState: ({ state }) => state === undefined },
    untestableRules: ["AHCP-STA-002"],
  },
  {
    name: "trusting no state",
    policy: { sealState: () => undefined, acceptsState: () => true },
    untestableRules: ["AHCP-STA-002"],
  },
  {
    name: "pushed to alone",
    policy: { readsOutcome: false, asksForPush: true },
    untestableRules: ["AHCP-DLV-012", "AHCP-GET-013", "AHCP-GET-014"],
  },
  { name: "reading alone", policy: { asksForPush: false }, untestableRules: ["AHCP-DLV-012"] },
];
