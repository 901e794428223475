import type { Outcome } from "./report.ts";

/** An outcome that a baseline may list. */
export type Failure = Extract<Outcome, "violates" | "warns" | "wrong-reason" | "errored" | "timed-out">;

/** A known failure: one vector or one rule of a scenario (`id`), all vectors of a rule (`rule`), or all vectors of an assertion (`site`). Exactly one of these members is present, except that `rule` may accompany `id`. */
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

/** The counts of the run that last wrote the list, for one protocol. They reveal a later run that judges less. */
export interface Judged {
  /** The number of results that were not skipped, or were skipped because a scenario proved nothing. */
  results: number;
  /** The number of judged results for each rule that has any. */
  rules: Record<string, number>;
  /** Scenarios that judged something. */
  scenarios: string[];
  /** The number of skipped results for each cause: its kind, and the setting, claim, hook or document that it names. */
  skipped: Record<string, number>;
  /** A Bloom filter of the ids of the vectors, base64: it distinguishes vectors of this set from those of a later set. */
  vectors: string;
}

/** A reviewed list of known failures. */
export interface Baseline {
  $schema: string;
  /** For each protocol, the digest of the vectors with which the list was reviewed. */
  sets: Record<string, string>;
  /** The judged parties, by command, protocol and kind of target: `run NAME http`. Older lists have none. */
  judged?: Record<string, Judged>;
  entries: BaselineEntry[];
}
