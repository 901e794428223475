import { aaep } from "../../suites/protocols/aaep/rules/index.ts";
import { agentConventions } from "../../suites/protocols/agent-conventions/rules/index.ts";
import { agentformat } from "../../suites/protocols/agentformat/rules/index.ts";
import { ahcp } from "../../suites/protocols/ahcp/rules/index.ts";
import type { RuleFamily } from "../../schemas/contracts/checker.ts";
import { snap } from "../../suites/protocols/snap/rules/index.ts";

/** The rules beyond the schemas, by protocol. */
export const families: Readonly<Record<string, readonly RuleFamily[]>> = {
  ahcp,
  aaep,
  snap,
  agentformat,
  "agent-conventions": agentConventions,
};
