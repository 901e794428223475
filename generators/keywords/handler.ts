import type { Json } from "../../schemas/index.ts";
import type { Formula } from "../formulas/formula.ts";
import type { Keyword, KeywordOf, Location, Site } from "../model/model.ts";
import type { Asserting } from "./asserting.ts";
import type { Denying } from "./denying.ts";
import type { Reader } from "./reading.ts";
import type { Visit } from "./visit.ts";

/** All that is known of one keyword, or of several that are alike. */
export type KeywordHandler<K extends Keyword["kind"] = Keyword["kind"]> = Handler<KeywordOf<K>>;

/** What is left out has the usual answer. */
interface Handler<T extends Keyword> {
  /** What the model has for what Hyperjump compiles, by its name there. */
  reads: Readonly<Record<string, Reader>>;
  /** Whether it asks what the others have evaluated, and so comes after them. */
  asksOthers?: true;

  /** Whether it asks nothing but the value: then there is no visit. */
  isPlain?: true;
  /** Whether a value fulfils it. One that it says nothing of does. */
  holds(keyword: T, value: Json, visit: Visit): boolean;

  /** The schemas that it looks into, whatever for; usually none. */
  children?(keyword: T): Location[];
  /** The same keyword with these schemas elsewhere. */
  moved?(keyword: T, to: (location: Location) => Location): Keyword;
  /** Whether its schemas apply to the value itself, not to something in it. */
  inPlace?: true;
  /** The schemas that must hold where it does, on some branch. Not those that only choose. */
  passages?(keyword: T, resolve: Resolve): Passage[];
  /** Its assertions: usually the one that it is. `isNever` tells the schema `false`. */
  sites?(keyword: T, isNever: (node: Location) => boolean): Site[];

  /** Takes it into a shape; false when that contradicts what is there. */
  assert(keyword: T, asserting: Asserting): boolean;
  /** What the values look like that it refuses. */
  deny(keyword: T, denying: Denying): Formula;

  /** What a value must be like so that it has something to say about it; usually anything. */
  exercise?(keyword: T): Formula;
  /** What it asserts, wherever it stands. One that asserts by other schemas is usually like no other. */
  content?(keyword: T): string;
  /** Values at its bound that may take the place of one, texts of at most `longest` characters; usually none. */
  edges?(keyword: T, value: Json, longest: number): Json[];
}

/** A schema that lies behind a keyword. */
export interface Passage {
  node: Location;
  /** Which of several. */
  key?: string | number;
  /** The step into the instance, `*` for any; absent when the schema applies to the same value. */
  segment?: string;
}

/** Where a dynamic reference leads. */
export type Resolve = (keyword: KeywordOf<"dynamicRef">) => Location;
