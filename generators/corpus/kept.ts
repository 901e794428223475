import type { Model } from "../model/model.ts";
import type { Oracle } from "../oracle/oracle.ts";
import type { Faults } from "./alone.ts";

/**
 * How far a set is made: `least` is the smallest valid instance, `faults` what must be accepted and one fault for each assertion; after that come
 * mutants and texts.
 */
export type Extent = "least" | "faults";

/** What one round of a document leaves to the next, which goes on from there. */
export interface Kept {
  model?: Model;
  oracle?: Oracle;
  /** Complete ones alone: who ended them early deletes them. */
  faults?: Faults;
}
