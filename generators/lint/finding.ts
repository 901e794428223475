import type { Json } from "../../schemas/index.ts";
import type { Location } from "../model/model.ts";

/** Something in a schema that its author will want to look at. */
export interface LintFinding {
  at: Location;
  kind:
    | "contradiction"
    | "dead"
    | "redundant"
    | "vacuous-if"
    | "ignored-beside-ref"
    | "loose-pattern"
    | "unknown-keyword";
  why: string;
  /** An instance that shows it. */
  example?: Json;
}
