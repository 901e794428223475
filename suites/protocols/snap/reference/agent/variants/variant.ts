import { type Mistaken, type Mistakes, variantsOf } from "../../../../../packs/reference/mistakes.ts";
import type { AgentDecisions, AgentSettings } from "../agent.ts";

/** An agent with one wrong decision, which the suite must notice. */
export interface BrokenAgent extends Mistaken {
  policy: Partial<AgentDecisions>;
  settings?: AgentSettings;
  /** Set if only walks find the mistake. */
  isCourse?: true;
}

/** Agents that break one rule, each with a name that distinguishes it. */
export function breaks(
  rule: string,
  mistakes: Mistakes<Partial<AgentDecisions>, Pick<BrokenAgent, "settings" | "isCourse">>,
): BrokenAgent[] {
  return variantsOf("policy", rule, mistakes);
}
