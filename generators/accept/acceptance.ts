import type { Formula } from "../formulas/formula.ts";
import type { Keyword, Model, Node } from "../model/model.ts";

/** One thing that a too strict implementation would refuse, as a demand on the value to which a keyword applies. */
export interface Demand {
  name: string;
  /** Distinguishes siblings of one name, as the last part of the id. */
  detail?: string;
  also: Formula;
  /** What is special, as a clause after the location: `is 86400, the maximum`. */
  says: string;
  tags?: string[];
}

/** A family of valid values: the keywords it looks at and what it demands of their values. */
export interface Acceptance {
  name: string;
  keywords: readonly Keyword["kind"][];
  /** `node` is the schema in which the keyword stands. */
  demand(keyword: Keyword, model: Model, node: Node): Iterable<Demand>;
}
