import type { Policy, Settings } from "./agent.ts";

/** An agent that keeps every rule, and uses some freedoms otherwise than the reference does. */
export interface AgentTwin {
  name: string;
  freedoms: readonly string[];
  policy: Partial<Policy>;
  settings?: Settings;
}

export const agentTwins: readonly AgentTwin[] = [
  { name: "later-profile", freedoms: ["a2s-recipient"], settings: { a2s: true }, policy: {} },
];
