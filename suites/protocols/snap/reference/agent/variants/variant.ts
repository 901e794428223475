import { type Mistaken, type Mistakes, variantsOf } from "../../../../../packs/reference/breaks.ts";
import type { Policy, Settings } from "../agent.ts";

/** An agent that decides wrongly in one way, so that a suite can be shown to notice. */
export interface AgentVariant extends Mistaken {
  policy: Partial<Policy>;
  settings?: Settings;
  /** Shows on walks alone. */
  isCourse?: true;
}

/** Agents that break a rule, by the name that distinguishes them. */
export function breaks(
  rule: string,
  mistakes: Mistakes<Partial<Policy>, Pick<AgentVariant, "settings" | "isCourse">>,
): AgentVariant[] {
  return variantsOf("policy", rule, mistakes);
}
