import { aaep } from "./aaep/index.ts";
import { agentConventions } from "./agent-conventions/index.ts";
import { agentformat } from "./agentformat/index.ts";
import { ahcp } from "./ahcp/index.ts";
import type { RuleFamily } from "./rule.ts";
import { snap } from "./snap/index.ts";

/** The rules beyond the schemas, by protocol. */
export const families: Readonly<Record<string, readonly RuleFamily[]>> = {
  ahcp,
  aaep,
  snap,
  agentformat,
  "agent-conventions": agentConventions,
};
