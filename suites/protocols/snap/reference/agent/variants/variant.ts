import type { Policy, Settings } from "../agent.ts";

/** An agent that decides wrongly in one way, so that a suite can be shown to notice. */
export interface AgentVariant {
  /** Id of the rule that it breaks. */
  rule: string;
  /** Tells it from others that break the same rule. */
  name?: string;
  /** Completes the sentence that begins with "an agent that". */
  says: string;
  policy: Partial<Policy>;
  settings?: Settings;
  /** Shows on walks alone. */
  isCourse?: true;
}

/** What a variant is called on the command line. */
export function nameOf({ rule, name }: { rule: string; name?: string }): string {
  return `breaks-${rule}${name === undefined ? "" : `-${name}`}`;
}
