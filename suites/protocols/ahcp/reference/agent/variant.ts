import { type MistakenParty, type Mistakes, variantsOf } from "../../../../packs/reference/mistakes.ts";
import type { AgentPolicy } from "./policy.ts";

/** An agent with one wrong decision. */
export interface AgentVariant extends MistakenParty {
  /** Other rules that the same decision may break. */
  also?: readonly string[];
  policy: Partial<AgentPolicy>;
}

/** The broken agents of one rule. The keys distinguish them; the main one has an empty key. */
export function breaks(
  rule: string,
  mistakes: Mistakes<Partial<AgentPolicy>, Pick<AgentVariant, "also">>,
): AgentVariant[] {
  return variantsOf("policy", rule, mistakes);
}
