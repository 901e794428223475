import type { Outcome } from "./report.ts";

/** An outcome that a baseline may list. */
export type Failure = Extract<Outcome, "violates" | "warns" | "wrong-reason" | "errored" | "timed-out">;

/** One vector or rule of a scenario, or one rule or assertion with all its vectors, that is known to fail: exactly one of `id`, `rule` and `site` is there. */
export interface BaselineEntry {
  id?: string;
  rule?: string;
  /** An assertion that no rule names: `$id` or file name of its schema, `#` and a JSON Pointer. */
  site?: string;
  outcome: Failure;
  reason: string;
  /** The last day, in UTC, on which the entry holds: `YYYY-MM-DD`. */
  expires?: string;
  owner?: string;
  /** It fails at times only. */
  flaky?: boolean;
}

/** A reviewed list of known failures. */
export interface Baseline {
  $schema: string;
  /** For each protocol the digest of the vectors that it was reviewed against. */
  sets: Record<string, string>;
  entries: BaselineEntry[];
}
