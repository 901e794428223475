import type { Change, VectorFamily } from "../../schemas/index.ts";
import type { BlameScope } from "../drafts/blame.ts";
import type { Draft } from "../drafts/draft.ts";

/** A change of a valid instance that belongs to a named family. The schema decides its verdict. */
export interface Candidate {
  family: VectorFamily;
  fault: string;
  /** Distinguishes siblings of one fault, as the last part of the id. */
  detail?: string;
  parent: Draft;
  change: Change[];
  /** Location of the special value. */
  at: string;
  /** The whole description, in words. */
  description: string;
  /** Where the candidate may break several assertions. Each of them would refuse it alone. */
  mayBreakSeveral?: Exclude<BlameScope, "nowhere">;
  /** Whether the candidate is published only if the schema refuses it. Otherwise a correct implementation may have its own limit. */
  refusedOnly?: true;
  tags?: string[];
}
