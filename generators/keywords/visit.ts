import type { Json, JsonObject } from "../../schemas/index.ts";
import type { Keyword, KeywordOf, Location, Node } from "../model/model.ts";

/** How to judge a value. */
export interface Evaluation {
  /**
   * The result for a value on which implementations of a format or of `multipleOf` differ. By default it fails, so that no generator builds on a doubtful
   * value.
   */
  formatDoubt?: boolean;
  /** Whether a text fails its format if a correct reader may refuse it. */
  withoutDoubt?: boolean;
  /** Selects formats that are annotations, which no value breaks. */
  ignoresFormat?: (format: string) => boolean;
  /** A site that counts as fulfilled in every evaluation, as if the schema did not have it. */
  without?: Location;
  /** Called for every evaluated keyword, in order, with its result and the schema that contains it. */
  observe?: (keyword: Keyword, at: string, value: Json, holds: boolean, node: Node) => void;
}

/** The evaluated parts of one value. */
export interface Marks {
  properties: Set<string>;
  items: Set<number>;
}

/** The evaluation of one schema for one value, as far as it is visible to a keyword. */
export interface Visit {
  readonly evaluation: Evaluation;
  /** Whether there is an observer. Then everything is evaluated, otherwise only as much as decides the result. */
  readonly isObserved: boolean;
  /** Absent if no keyword needs them. */
  readonly marks: Marks | undefined;
  /** Counts work. */
  spend(units: number): void;
  /** The target of a dynamic reference. */
  resolve(keyword: KeywordOf<"dynamicRef">): Location;
  /** Whether the value itself fulfils a schema. Parts that it evaluates count as evaluated. */
  inPlace(node: Location, value: Json): boolean;
  /** The same, but nothing counts as evaluated. */
  inPlaceUnmarked(node: Location, value: Json): boolean;
  /** Whether an item fulfils a schema. The item counts as evaluated. */
  item(node: Location, items: readonly Json[], index: number): boolean;
  /** The same, but the item does not count as evaluated. */
  itemUnmarked(node: Location, items: readonly Json[], index: number): boolean;
  /** Whether a member fulfils a schema. The member counts as evaluated. */
  member(node: Location, object: JsonObject, name: string): boolean;
  /** Whether the name of a member fulfils a schema. */
  name(node: Location, name: string): boolean;
}
