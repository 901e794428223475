import type { Decisions } from "./decisions.ts";

/** A runtime that decides wrongly in one way. */
export interface RuntimeVariant {
  /** Id of the rule that it breaks. */
  rule: string;
  /** Tells it from others that break the same rule. */
  name?: string;
  /** Completes the sentence that begins with "one that". */
  says: string;
  decisions: Partial<Decisions>;
}
