import type { Json, JsonObject } from "../../schemas/index.ts";
import type { Keyword, KeywordOf, Location, Node } from "../model/model.ts";

/** How to judge a value. */
export interface Evaluation {
  /**
   * The result for a value on which implementations of a format or of `multipleOf` disagree. By default `false`, so that no generator uses
   * a doubtful value.
   */
  formatDoubt?: boolean;
  /** Whether a string fails its format if a correct reader may refuse it. */
  withoutDoubt?: boolean;
  /** Selects formats that are annotations, which no value breaks. */
  ignoresFormat?: (format: string) => boolean;
  /** A site that counts as fulfilled in every evaluation, as if the schema did not have it. */
  without?: Location;
  /** Called for every evaluated keyword, in order, with its result and the schema that contains it. */
  observe?: (keyword: Keyword, path: string, value: Json, holds: boolean, node: Node) => void;
}

/** The evaluated parts of one value. */
export interface Marks {
  properties: Set<string>;
  items: Set<number>;
}

/** The evaluation of one schema for one value, as far as it is visible to a keyword. */
export interface Visit {
  readonly evaluation: Evaluation;
  /** Whether there is an observer. If so, everything is evaluated; otherwise evaluation stops once the result is known. */
  readonly isObserved: boolean;
  /** Absent if no keyword needs them. */
  readonly marks: Marks | undefined;
  /** Counts work towards the budget. */
  spend(units: number): void;
  /** Returns the target of a dynamic reference. */
  resolve(keyword: KeywordOf<"dynamicRef">): Location;
  /** Whether the value itself fulfils a schema. Parts that it evaluates count as evaluated. */
  valueHolds(node: Location, value: Json): boolean;
  /** Like `valueHolds`, but nothing counts as evaluated. */
  valueHoldsUnmarked(node: Location, value: Json): boolean;
  /** Whether an item fulfils a schema. The item counts as evaluated. */
  itemHolds(node: Location, items: readonly Json[], index: number): boolean;
  /** Like `itemHolds`, but the item does not count as evaluated. */
  itemHoldsUnmarked(node: Location, items: readonly Json[], index: number): boolean;
  /** Whether a member fulfils a schema. The member counts as evaluated. */
  memberHolds(node: Location, object: JsonObject, name: string): boolean;
  /** Whether the name of a member fulfils a schema. */
  nameHolds(node: Location, name: string): boolean;
}
