import type { Json } from "../../schemas/index.ts";
import type { Formula } from "../formulas/formula.ts";
import type { ValueSearch } from "../keywords/assert-context.ts";

/**
 * A member that cannot be made under certain formulas. A shape with the same formulas for the member is skipped, regardless of other choices.
 */
export interface ImpossibleMember {
  name: string;
  formulas: ReadonlySet<Formula>;
}

/** The results that are kept during the search for values of one conjunction. */
export interface LearntFacts {
  impossibleMembers: ImpossibleMember[];
  /** Makes a member and remembers it; absent if no member is needed twice. */
  makeMember?(name: string, formulas: readonly Formula[], hint: Json | undefined, depth: number): SearchOutcome;
}

/** Alternatives; at least one must hold. */
export type Choice = readonly Formula[];

/** The search as the parts of the solver see it. */
export interface Search extends ValueSearch {
  /** Whether objects get all their optional members that can be made. */
  readonly full: boolean;
  /** Counts the work. Throws if the budget is used up. */
  spend(): void;
  /** Is called with the number of open choices before one of them is made. */
  noteOpenChoices?(choices: number): void;
  /** Sorts the alternatives of a choice into the order of their trial. */
  order(alternatives: readonly Formula[]): readonly Formula[];
  /** Makes values for a conjunction, lazily, best first. */
  values(formulas: readonly Formula[], hint: Json | undefined, depth: number): Generator<Json>;
  /** The first of these values, or undefined. */
  first(formulas: readonly Formula[], hint: Json | undefined, depth: number): Json | undefined;
  /** Whether a value fulfils a formula, without its focus. */
  holds(formula: Formula, value: Json): boolean;
}

/** A value, or a set of formulas that already excludes every value. */
export type SearchOutcome = { found: Json } | { core: readonly Formula[] };
