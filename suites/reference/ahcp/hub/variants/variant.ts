import type { Policy } from "../hub.ts";

/** A hub that decides wrongly in one way, so that a suite can be shown to notice. */
export interface HubVariant {
  /** Id of the rule that it breaks. */
  rule: string;
  /** Completes the sentence that begins with "a hub that". */
  says: string;
  policy: Partial<Policy>;
}

/** What a variant is called on the command line. */
export function nameOf({ rule }: HubVariant): string {
  return `breaks-${rule}`;
}
