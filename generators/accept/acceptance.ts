import type { Keyword, Model } from "../model/model.ts";
import type { Formula } from "../solve/formula.ts";

/** One thing that a too strict implementation would refuse, as a demand on the value to which a keyword applies. */
export interface Demand {
  name: string;
  /** Tells siblings of one name apart, as the last part of the id. */
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
  demand(keyword: Keyword, model: Model): Iterable<Demand>;
}
