import { type Mistaken, type Mistakes, variantsOf } from "../../../../../packs/reference/mistakes.ts";
import type { AgentDecisions, AgentSettings } from "../agent.ts";

/** An agent that decides wrongly in one way, so that a suite can be shown to notice. */
export interface BrokenAgent extends Mistaken {
  policy: Partial<AgentDecisions>;
  settings?: AgentSettings;
  /** Shows on walks alone. */
  isCourse?: true;
}

/** Agents that break a rule, by the name that distinguishes them. */
export function breaks(
  rule: string,
  mistakes: Mistakes<Partial<AgentDecisions>, Pick<BrokenAgent, "settings" | "isCourse">>,
): BrokenAgent[] {
  return variantsOf("policy", rule, mistakes);
}
