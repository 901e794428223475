import type { Json } from "../../schemas/index.ts";
import type { Formula } from "../formulas/formula.ts";
import type { ValueSearch } from "../keywords/assert-context.ts";

/**
 * The knowledge from splitting one conjunction: members that cannot be made under certain formulas. A shape with the same formulas
 * for the member is skipped, regardless of other choices.
 */
export interface Dead {
  name: string;
  formulas: ReadonlySet<Formula>;
}

/** The knowledge kept during the search for values of one conjunction. */
export interface Learnt {
  dead: Dead[];
  /** A member, if the same may be needed more than once. */
  made?(name: string, formulas: readonly Formula[], hint: Json | undefined, depth: number): Outcome;
}

/** Alternatives; one of them must hold. */
export type Choice = readonly Formula[];

/** The search as the parts of the solver see it. */
export interface Search extends ValueSearch {
  /** Objects get all their optional members, where these can be made. */
  readonly full: boolean;
  /** Counts the work; throws when the budget is used up. */
  spend(): void;
  /** Called with the number of open choices whenever one is made. */
  crowd?(choices: number): void;
  /** Sorts the alternatives of a choice into the order of their trial. */
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
