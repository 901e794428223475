import type { Model } from "../model/model.ts";
import type { Oracle } from "../oracle/oracle.ts";
import type { DraftVerdicts } from "./draft-verdict.ts";
import type { Faults } from "./isolation.ts";

/**
 * A part of a set. `least` is the smallest valid instance. `faults` adds the other valid instances, and faults of each assertion. `core` adds the named
 * families to the faults, such as tokens, timeouts and foreign members. The whole set also has mutants and texts.
 */
export type Extent = "least" | "faults" | "core";

/** The state that one round of a document leaves to the next. */
export interface KeptWork {
  model?: Model;
  oracle?: Oracle;
  /** Only complete faults: if a search ends early, they are deleted. */
  faults?: Faults;
  /** The verdicts on the drafts of these faults: validators of a large schema need longer than the search. */
  verdicts?: DraftVerdicts;
}
