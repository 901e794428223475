import type { Formula } from "../formulas/formula.ts";
import type { Keyword, Model, Node } from "../model/model.ts";

/** Something that a too strict implementation would refuse, as a requirement on the value to which a keyword applies. */
export interface Demand {
  name: string;
  /** Distinguishes siblings with one name, as the last part of the id. */
  detail?: string;
  also: Formula;
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
