import type { Level } from "../rule.ts";

/** One thing that is wrong with an instance, or that its author is advised against. */
export interface Violation {
  /** JSON Pointer into the instance. */
  at: string;
  why: string;
  level: Level;
  /** Id of the rule; not every assertion of a schema belongs to one. */
  rule?: string;
  /** Location of the assertion that fails: `SCHEMA_ID#/json/pointer`. */
  site?: string;
}
