import type { Model } from "../model/model.ts";
import type { Oracle } from "../oracle/oracle.ts";
import type { Faults } from "./isolation.ts";

/**
 * How far a set is made: `least` is the smallest valid instance; `faults` adds the instances to accept and one fault for each assertion; mutants and texts
 * follow if there is no limit. `core` is a set of its own: faults, with the families of tokens, timeouts and foreign members.
 */
export type Extent = "least" | "faults" | "core";

/** The state that one round of a document leaves to the next. */
export interface KeptWork {
  model?: Model;
  oracle?: Oracle;
  /** Complete ones only: if a search ends early, it deletes them. */
  faults?: Faults;
}
