import type { Json } from "../../schemas/index.ts";
import type { Location } from "../model/model.ts";

/** Kinds of probable mistakes in a schema. */
export const lintKinds = [
  "contradiction",
  "dead",
  "redundant",
  "vacuous-if",
  "empty-if",
  "closed-out",
  "dead-value",
  "invalid-example",
  "ignored-beside-ref",
  "loose-pattern",
  "unknown-keyword",
  "foreign-format",
] as const;

/** A place in a schema that its author should look at. */
export interface LintFinding {
  at: Location;
  kind: (typeof lintKinds)[number];
  why: string;
  /** An instance that shows it. */
  example?: Json;
}
