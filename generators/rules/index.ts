import { aaep } from "./aaep/index.ts";
import { agentConventions } from "./agent-conventions/index.ts";
import { agentformat } from "./agentformat/index.ts";
import { ahcp } from "./ahcp/index.ts";
import type { Checker, RuleFamily } from "./rule.ts";
import { snap } from "./snap/index.ts";

/** The rules beyond the schemas, by protocol. */
const families: Readonly<Record<string, readonly RuleFamily[]>> = {
  ahcp,
  aaep,
  snap,
  agentformat,
  "agent-conventions": agentConventions,
};

/** What decides the rules of a protocol beyond its schemas, and what shows it; nothing for a protocol that is not one of ours. */
export function ruleFamilies(protocol: string): readonly RuleFamily[] {
  return families[protocol] ?? [];
}

/** The checkers of a document's rules, in order. */
export function checkersOf(protocol: string, document: string): Checker[] {
  return ruleFamilies(protocol).flatMap(({ checkers }) =>
    checkers.filter(({ documents }) => documents.includes(document)),
  );
}
