import type { Json, JsonObject } from "../../schemas/index.ts";
import type { Keyword, KeywordOf, Location, Node } from "../model/model.ts";

/** How a value is judged. */
export interface Evaluation {
  /**
   * Asserts formats. A value on which implementations of a format or of `multipleOf` differ counts as `formatDoubt` (default: it
   * fails), so that a generator never builds on doubt.
   */
  formatDoubt?: boolean;
  /** Only texts that no reader may refuse have a format. */
  withoutDoubt?: boolean;
  /** A format that is an annotation: nothing breaks it. */
  ignoresFormat?: (format: string) => boolean;
  /** A site that counts as fulfilled at every evaluation: the schema without it. */
  without?: Location;
  /** Called for every keyword evaluated, in order, with its outcome and the schema that contains it. */
  observe?: (keyword: Keyword, at: string, value: Json, holds: boolean, node: Node) => void;
}

/** The evaluated parts of one value. */
export interface Marks {
  properties: Set<string>;
  items: Set<number>;
}

/** The part of evaluating one schema on one value that is visible to a keyword. */
export interface Visit {
  readonly evaluation: Evaluation;
  /** Whether there is an observer: then everything is evaluated, otherwise only as much as decides. */
  readonly isObserved: boolean;
  /** Absent if nothing asks. */
  readonly marks: Marks | undefined;
  /** Counts work. */
  spend(units: number): void;
  /** The target of a dynamic reference. */
  resolve(keyword: KeywordOf<"dynamicRef">): Location;
  /** Whether the value itself fulfils a schema; its evaluated parts count as evaluated. */
  inPlace(node: Location, value: Json): boolean;
  /** The same, and nothing counts as evaluated. */
  inPlaceUnmarked(node: Location, value: Json): boolean;
  /** Whether an item fulfils a schema; it counts as evaluated. */
  item(node: Location, items: readonly Json[], index: number): boolean;
  /** The same, and nothing counts as evaluated. */
  itemUnmarked(node: Location, items: readonly Json[], index: number): boolean;
  /** Whether a member fulfils a schema; it counts as evaluated. */
  member(node: Location, object: JsonObject, name: string): boolean;
  /** Whether the name of a member fulfils a schema. */
  name(node: Location, name: string): boolean;
}
