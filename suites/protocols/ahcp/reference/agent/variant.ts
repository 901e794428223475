import { type Mistaken, type Mistakes, variantsOf } from "../../../../packs/reference/mistakes.ts";
import type { AgentPolicy } from "./policy.ts";

/** An agent that decides wrongly in one way. */
export interface AgentVariant extends Mistaken {
  /** Rules that it may be seen to break besides, as they come of the same. */
  also?: readonly string[];
  policy: Partial<AgentPolicy>;
}

/** Agents that break a rule, by the name that distinguishes them. */
export function breaks(
  rule: string,
  mistakes: Mistakes<Partial<AgentPolicy>, Pick<AgentVariant, "also">>,
): AgentVariant[] {
  return variantsOf("policy", rule, mistakes);
}
