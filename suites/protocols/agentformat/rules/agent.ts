import type { Checker, Json } from "../../../../schemas/index.ts";
import { agentReferenceCheckers } from "./agents.ts";
import { aliasCheckers } from "./aliases.ts";
import { batchCheckers } from "./batches.ts";
import { identityCheckers } from "./identity.ts";
import { interfaceCheckers } from "./interface.ts";
import { conditionCheckers } from "./matchers.ts";
import { memberCheckers } from "./members.ts";
import { pathCheckers } from "./paths.ts";
import { policyCheckers } from "./policy.ts";
import { agentSchema, isAgent } from "./schema.ts";

/** Checkers of the rules about an agent document. Every MUST rule has one, which `isAcceptable` relies on. */
export const agentCheckers: readonly Checker[] = [
  ...identityCheckers,
  ...interfaceCheckers,
  ...memberCheckers,
  ...aliasCheckers,
  ...policyCheckers,
  ...agentReferenceCheckers,
  ...pathCheckers,
  ...batchCheckers,
  ...conditionCheckers,
];

/** Whether the schema accepts a document, and it breaks no MUST rule. */
export function isAcceptable(agent: Json): boolean {
  const { rules } = agentSchema();
  const levels = new Map(rules.map(({ id, level, verdict = "fail" }) => [id, verdict === "fail" ? level : "SHOULD"]));
  return (
    isAgent(agent) &&
    agentCheckers.every(({ rule, check }) =>
      [...(check?.(agent, "agent") ?? [])].every(({ level }) => (level ?? levels.get(rule)) !== "MUST"),
    )
  );
}
