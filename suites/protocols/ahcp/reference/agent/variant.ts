import { type Mistaken, type Mistakes, variantsOf } from "../../../../packs/reference/mistakes.ts";
import type { AgentPolicy } from "./policy.ts";

/** An agent with one wrong decision. */
export interface AgentVariant extends Mistaken {
  /** The rules that it may also break, by the same decision. */
  also?: readonly string[];
  policy: Partial<AgentPolicy>;
}

/** Broken agents of one rule, by the name that distinguishes them. */
export function breaks(
  rule: string,
  mistakes: Mistakes<Partial<AgentPolicy>, Pick<AgentVariant, "also">>,
): AgentVariant[] {
  return variantsOf("policy", rule, mistakes);
}
