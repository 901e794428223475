import type { AgentPolicy } from "./policy.ts";

/** An agent that keeps every rule in a different way from the reference. */
export interface AgentTwin {
  name: string;
  policy: Partial<AgentPolicy>;
  /** The rules that cannot be tested with it. */
  skipped?: readonly string[];
}

export const agentTwins: readonly AgentTwin[] = [
  {
    name: "stateless",
    policy: { seals: () => undefined, opens: ({ state }) => state === undefined },
    skipped: ["AHCP-STA-002"],
  },
  { name: "trusting no state", policy: { seals: () => undefined, opens: () => true }, skipped: ["AHCP-STA-002"] },
  {
    name: "pushed to alone",
    policy: { reads: false, pushes: true },
    skipped: ["AHCP-DLV-012", "AHCP-GET-013", "AHCP-GET-014"],
  },
  { name: "reading alone", policy: { pushes: false }, skipped: ["AHCP-DLV-012"] },
];
