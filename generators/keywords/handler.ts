import type { Json } from "../../schemas/index.ts";
import type { Formula } from "../formulas/formula.ts";
import type { Keyword, KeywordOf, Location, Site } from "../model/model.ts";
import type { AssertContext } from "./assert-context.ts";
import type { DenyContext } from "./deny-context.ts";
import type { Reader } from "./reading.ts";
import type { Visit } from "./visit.ts";

/** Everything known about one keyword, or about several similar ones. */
export type KeywordHandler<K extends Keyword["kind"] = Keyword["kind"]> = Handler<KeywordOf<K>>;

/** Omitted members have the usual answer. */
interface Handler<T extends Keyword> {
  /** The keyword of the model for a compiled one of Hyperjump, by its name there. */
  reads: Readonly<Record<string, Reader>>;
  /** Whether it depends on the evaluation of the others, and so comes after them. */
  dependsOnOthers?: true;

  /** Whether it needs only the value, without a visit. */
  isPlain?: true;
  /** Whether a value fulfils it. A value that it does not concern does. */
  holds(keyword: T, value: Json, visit: Visit): boolean;

  /** All schemas that it contains or refers to; usually none. */
  children?(keyword: T): Location[];
  /** The same keyword with these schemas elsewhere. */
  moved?(keyword: T, to: (location: Location) => Location): Keyword;
  /** Whether its schemas apply to the value itself, not to something in it. */
  inPlace?: true;
  /** The schemas that must hold with it, on some branch. Not the schemas that only choose. */
  passages?(keyword: T, resolve: Resolve): Passage[];
  /** Its assertions: usually itself. `isNever` recognizes the schema `false`. */
  sites?(keyword: T, isNever: (node: Location) => boolean): Site[];

  /** Adds it to a shape; false if that contradicts the shape. */
  assert(keyword: T, context: AssertContext): boolean;
  /** The shape of the values that it refuses. */
  deny(keyword: T, context: DenyContext): Formula;

  /** The kinds of values that it concerns; usually any. */
  exercise?(keyword: T): Formula;
  /** Its assertion as a key, at any place. A keyword that asserts by other schemas is usually unique. */
  content?(keyword: T): string;
  /** Values at its bound that may replace a value, texts of at most `longest` characters; usually none. */
  edges?(keyword: T, value: Json, longest: number): Json[];
}

/** A schema that a keyword leads to. */
export interface Passage {
  node: Location;
  /** Which of several. */
  key?: string | number;
  /** The step into the instance, `*` for any; absent when the schema applies to the same value. */
  segment?: string;
}

/** The target of a dynamic reference. */
export type Resolve = (keyword: KeywordOf<"dynamicRef">) => Location;
