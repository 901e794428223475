import { type MistakenParty, type Mistakes, variantsOf } from "../../../../../packs/reference/mistakes.ts";
import type { AgentDecisions, AgentSettings } from "../agent.ts";

/** An agent with one wrong decision, which the suite must detect. */
export interface BrokenAgent extends MistakenParty {
  policy: Partial<AgentDecisions>;
  settings?: AgentSettings;
  /** Whether only walks find the mistake. */
  isCourse?: true;
}

/** Makes agents that break a rule, given their mistakes by the suffixes of their names. */
export function breaks(
  rule: string,
  mistakes: Mistakes<Partial<AgentDecisions>, Pick<BrokenAgent, "settings" | "isCourse">>,
): BrokenAgent[] {
  return variantsOf("policy", rule, mistakes);
}
