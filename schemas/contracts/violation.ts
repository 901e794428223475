import type { Level } from "../rule.ts";

/** A fault of an instance, or a point on which its author gets advice. */
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
