import type { RuleFamily } from "../rule.ts";

/** The rules beyond the schemas, family by family. */
export const agentConventions: readonly RuleFamily[] = [];
