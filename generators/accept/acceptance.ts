import type { Formula } from "../formulas/formula.ts";
import type { Keyword, Model, Node } from "../model/model.ts";

/** One thing that a too strict implementation would refuse, as a demand on the value to which a keyword applies. */
export interface Demand {
  name: string;
  /** Distinguishes siblings of one name, as the last part of the id. */
  detail?: string;
  also: Formula;
  /** The special property, as a clause after the location: `is 86400, the maximum`. */
  says: string;
  tags?: string[];
}

/** A family of valid values: the keywords that it uses and its demands on their values. */
export interface Acceptance {
  name: string;
  keywords: readonly Keyword["kind"][];
  /** `node` is the schema with the keyword. */
  demand(keyword: Keyword, model: Model, node: Node): Iterable<Demand>;
}
