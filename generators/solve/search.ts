import type { Json } from "../../schemas/index.ts";
import type { Formula } from "../formulas/formula.ts";
import type { Searching } from "../keywords/asserting.ts";

/**
 * What was learnt while one conjunction is taken apart: members that cannot be made under certain formulas. A shape that has the same
 * formulas for the member needs no further look, whatever else was chosen.
 */
export interface Dead {
  name: string;
  formulas: ReadonlySet<Formula>;
}

/** What is kept while the values of one conjunction are looked for. */
export interface Learnt {
  dead: Dead[];
  /** A member, where the same may be asked for more than once. */
  made?(name: string, formulas: readonly Formula[], hint: Json | undefined, depth: number): Outcome;
}

/** Alternatives, one of which must hold. */
export type Choice = readonly Formula[];

/** What the parts of the solver see of the search they belong to. */
export interface Search extends Searching {
  /** Objects get all their optional members, where these can be made. */
  readonly full: boolean;
  /** Counts the work; throws when the budget is used up. */
  spend(): void;
  /** Told how many choices are open whenever one is made. */
  crowd?(choices: number): void;
  /** Puts the alternatives of a choice into the order in which they are tried. */
  order(alternatives: readonly Formula[]): readonly Formula[];
  /** Values for a conjunction, lazily, best first. */
  values(formulas: readonly Formula[], hint: Json | undefined, depth: number): Generator<Json>;
  /** The first of these, or undefined. */
  first(formulas: readonly Formula[], hint: Json | undefined, depth: number): Json | undefined;
  /** Whether a value fulfils a formula, its focus left aside. */
  holds(formula: Formula, value: Json): boolean;
}

/** A value, or those of the formulas that already exclude every one. */
export type Outcome = { found: Json } | { core: readonly Formula[] };
