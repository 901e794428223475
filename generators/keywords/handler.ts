import type { Json } from "../../schemas/index.ts";
import type { Formula } from "../formulas/formula.ts";
import type { Keyword, KeywordOf, Location, Site } from "../model/model.ts";
import type { AssertContext } from "./assert-context.ts";
import type { DenyContext } from "./deny-context.ts";
import type { Reader } from "./reading.ts";
import type { Visit } from "./visit.ts";

/** Everything that the engine knows about one keyword, or about several similar ones. */
export type KeywordHandler<K extends Keyword["kind"] = Keyword["kind"]> = Handler<KeywordOf<K>>;

/** Optional members have a default. */
interface Handler<T extends Keyword> {
  /** Readers of the compiled keyword, by its name in Hyperjump. */
  readers: Readonly<Record<string, Reader>>;
  /** Whether the keyword depends on the evaluation of others, and so is evaluated after them. */
  dependsOnOthers?: true;

  /** Whether `holds` needs only the value, not the visit. */
  isPlain?: true;
  /** Whether a value fulfils the keyword. True for values to which it does not apply. */
  holds(keyword: T, value: Json, visit: Visit): boolean;

  /** Lists all schemas that the keyword contains or refers to. Default: none. */
  children?(keyword: T): Location[];
  /** Moves the schemas of the keyword to other locations. */
  relocate?(keyword: T, relocate: (location: Location) => Location): Keyword;
  /** Whether the keyword's schemas apply to the value itself, not to its members or items. */
  inPlace?: true;
  /** Lists the schemas that must hold with the keyword, on some branch. A condition is not among them. */
  passages?(keyword: T, resolve: Resolve): Passage[];
  /** Lists the assertions of the keyword. Default: the keyword itself. `isNever` recognizes the schema `false`. */
  sites?(keyword: T, isNever: (node: Location) => boolean): Site[];

  /** Adds the keyword to a shape. Returns false if it contradicts the shape. */
  assert(keyword: T, context: AssertContext): boolean;
  /** Returns a formula for the values that the keyword refuses. */
  deny(keyword: T, context: DenyContext): Formula;

  /** Returns a formula for values that exercise the keyword. Default: any value. */
  exercise?(keyword: T): Formula;
  /** Returns a key that equal assertions share at any place. Without a key, no two keywords are equal. */
  content?(keyword: T): string;
  /** Lists boundary values that may replace a value; strings have at most `longest` characters. Default: none. */
  edges?(keyword: T, value: Json, longest: number): Json[];
}

/** A schema that a keyword leads to. */
export interface Passage {
  node: Location;
  /** Distinguishes the schemas of one keyword. */
  key?: string | number;
  /** The step into the instance, `*` for any; absent if the schema applies to the same value. */
  segment?: string;
}

/** The target of a dynamic reference. */
export type Resolve = (keyword: KeywordOf<"dynamicRef">) => Location;
