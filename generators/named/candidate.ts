import type { Change, VectorFamily } from "../../schemas/index.ts";
import type { Draft } from "../drafts/draft.ts";

/** A change of a valid instance that belongs to a named family. What the schema makes of it is found out. */
export interface Candidate {
  family: VectorFamily;
  fault: string;
  /** Distinguishes siblings of one fault, as the last part of the id. */
  detail?: string;
  parent: Draft;
  change: Change[];
  /** Location of what is special. */
  at: string;
  /** The whole description, in words. */
  description: string;
  /** It may break several assertions, and is refused for any of them. */
  mayBreakSeveral?: true;
  /** Not published where the schema accepts it: a right implementation may have a limit of its own. */
  refusedOnly?: true;
  tags?: string[];
}
