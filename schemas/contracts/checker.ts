import type { Json } from "../json.ts";
import type { Level } from "../rule.ts";

/** One location in an instance that breaks the rule. */
export interface Breach {
  /** JSON Pointer into the instance. */
  at: string;
  /** Completes the sentence that begins with the place: `is not a value of an option`. */
  why: string;
  /** Set if this breach is less serious than the rule's level, for instance because a position only justifies a warning. */
  level?: Level;
  /** The rule only allows a warning: a reader must not refuse the instance because of this breach. */
  mustPass?: true;
}

/** Decides one semantic rule. */
export interface Checker {
  /** Id of the rule. */
  rule: string;
  /** Names of the documents to which it applies. */
  documents: readonly string[];
  /**
   * The locations in the instance that break this rule, and no other. Accepts any JSON value, but checks only values of the expected type:
   * missing members and wrong types are left to the schema. Pure: no clock, no network.
   */
  check?(instance: Json, document: string): Iterable<Breach>;
  /** Like `check`, for rules about the raw bytes. */
  read?(bytes: Uint8Array, document: string): Iterable<Breach>;
}
