import type { Outcome } from "./report.ts";

/** An outcome that a baseline may list. */
export type Failure = Extract<Outcome, "violates" | "warns" | "wrong-reason" | "errored" | "timed-out">;

/** A vector or a scenario's rule, or one rule or assertion with all its vectors, that is known to fail: exactly one of `id`, `rule` and `site` is present. */
export interface BaselineEntry {
  id?: string;
  /** All vectors of the rule. Together with an id, it is the rule of that vector, as information for readers. */
  rule?: string;
  /** An assertion that no rule names: `$id` or file name of its schema, `#` and a JSON Pointer. */
  site?: string;
  outcome: Failure;
  reason: string;
  /** The last day, in UTC, on which the entry holds: `YYYY-MM-DD`. */
  expires?: string;
  owner?: string;
  /** Whether it fails only sometimes. */
  flaky?: boolean;
}

/** Counts of the run that last wrote the list, for one protocol. They reveal a later run that judges less. */
export interface Judged {
  /** How many results had an outcome other than skipped, or were skipped because a scenario showed nothing. */
  results: number;
  /** How many results were judged, for each rule that has any. */
  rules: Record<string, number>;
  /** Scenarios that judged something. */
  scenarios: string[];
  /** How many results were skipped, for each cause: its kind, and the setting, claim, hook or document that it names. */
  skipped: Record<string, number>;
  /** A Bloom filter of the ids of the vectors, base64: it distinguishes vectors of this set from those of a later set. */
  vectors: string;
}

/** A reviewed list of known failures. */
export interface Baseline {
  $schema: string;
  /** For each protocol the digest of the vectors that it was reviewed against. */
  sets: Record<string, string>;
  /** The judged parties, by command, protocol and kind of target: `run NAME http`. Older lists have none. */
  judged?: Record<string, Judged>;
  entries: BaselineEntry[];
}
