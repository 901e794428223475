import type { Level, Rule, Vector } from "../../schemas/index.ts";
import type { Draft } from "../drafts/draft.ts";

/** The verdict on a draft, with its rule and level. */
export interface DraftVerdict {
  kind: "valid" | "invalid" | "disputed";
  /** Set if the verdict is disputed. */
  readings: Vector["readings"];
  rule: Rule | undefined;
  /** Whether a validator that treats formats as annotations may correctly give the opposite verdict. */
  needsFormats: boolean;
  level: Level;
}

/** Verdicts by draft; undefined for a draft that is not published. */
export type DraftVerdicts = Map<Draft, DraftVerdict | undefined>;
