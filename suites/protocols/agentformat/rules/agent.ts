import type { Json, RuleFamily } from "../../../../schemas/index.ts";
import { agents } from "./agents.ts";
import { aliases } from "./aliases.ts";
import { batches } from "./batches.ts";
import { governance } from "./governance.ts";
import { identity } from "./identity.ts";
import { interfaceSchemas } from "./interface.ts";
import { matchers } from "./matchers.ts";
import { members } from "./members.ts";
import { paths } from "./paths.ts";
import { policy } from "./policy.ts";
import { agentSchema, isAgent } from "./schema.ts";

/** The rules on one agent document, read already. */
export const agentFamilies: readonly RuleFamily[] = [
  identity,
  interfaceSchemas,
  members,
  aliases,
  policy,
  agents,
  paths,
  batches,
  matchers,
  governance,
];

/** Whether the schema accepts a document, and no rule of full weight speaks against it. */
export function isAcceptable(agent: Json): boolean {
  const { rules } = agentSchema();
  const weights = new Map(rules.map(({ id, level, verdict = "fail" }) => [id, verdict === "fail" ? level : "SHOULD"]));
  const checkers = agentFamilies.flatMap((family) => family.checkers);
  return (
    isAgent(agent) &&
    checkers.every(({ rule, check }) =>
      [...(check?.(agent, "agent") ?? [])].every(({ level }) => (level ?? weights.get(rule)) !== "MUST"),
    )
  );
}
