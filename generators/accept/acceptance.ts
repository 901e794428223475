import type { Formula } from "../formulas/formula.ts";
import type { Keyword, Model, Node } from "../model/model.ts";

/** A requirement on the value to which a keyword applies. An overly strict implementation would refuse such values. */
export interface Demand {
  name: string;
  /** The last part of the id, which distinguishes demands with the same name. */
  detail?: string;
  constraint: Formula;
  /** The feature, as a clause after the location: `is 86400, the maximum`. */
  says: string;
  tags?: string[];
}

/** A family of valid values: the keywords that it uses, and its requirements on their values. */
export interface Acceptance {
  name: string;
  keywords: readonly Keyword["kind"][];
  /** `node` is the schema with the keyword. */
  demand(keyword: Keyword, model: Model, node: Node): Iterable<Demand>;
}
