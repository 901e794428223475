import type { Json } from "../../schemas/index.ts";
import type { EvaluationStep, Location, Scope } from "../model/model.ts";
import { everyKind } from "./kinds.ts";

/** A path to one schema, and an additional demand on the value there. */
export interface Focus {
  steps: readonly Pick<EvaluationStep, "site" | "key">[];
  end: { break: Location } | { also: Formula };
}

/**
 * A demand on one value. `schema` with a false sign demands a value that the schema refuses. A `focus` makes the solver follow that path through the
 * schema.
 */
export type Formula =
  | { op: "schema"; node: Location; sign: boolean; scope: Scope; focus?: Focus; into?: readonly number[] }
  | { op: "and" | "or"; of: readonly Formula[] }
  | { op: "in" | "out"; values: readonly Json[] }
  | { op: "kinds"; kinds: number }
  | Facet;

/** A constraint on the shape itself. `denial` is its opposite. */
export interface Facet {
  op: "facet";
  kinds: number;
  constrain: (shape: Shape) => void;
  denial: () => Formula;
}

/** The members of an object to which something applies. */
export type MemberTest =
  | { of: "name"; name: string }
  | { of: "pattern"; regexp: RegExp }
  | { of: "rest"; names: ReadonlySet<string>; patterns: readonly RegExp[] };

/** The parts that are evaluated inside one schema with `unevaluated*`. */
export interface Collector {
  names: Set<string>;
  patterns: RegExp[];
  allMembers: boolean;
  prefix: number;
  allItems: boolean;
  contains: Formula[];
  members?: UnevaluatedFormula;
  items?: UnevaluatedFormula;
}

interface UnevaluatedFormula {
  formula: Formula;
  sign: boolean;
  focused: Formula | undefined;
}

/** The signs of schemas by location, in layers: a clone of a shape adds a layer instead of a copy. */
export interface SchemaSigns {
  own: Map<string, boolean>;
  outer: SchemaSigns | undefined;
}

/** One conjunction of constraints, by the kind of value: a formula after all choices are made. */
export interface Shape {
  /** The sign of each schema that holds, or does not hold, for the whole value. A schema with both signs leaves no value. */
  judged: SchemaSigns;
  kinds: number;
  in: readonly Json[] | undefined;
  out: readonly Json[];
  number: {
    low: number;
    lowOpen: boolean;
    high: number;
    highOpen: boolean;
    multiples: number[];
    notMultiples: number[];
  };
  string: {
    min: number;
    max: number;
    patterns: RegExp[];
    notPatterns: RegExp[];
    formats: string[];
    notFormats: string[];
  };
  array: {
    min: number;
    max: number;
    /** Holds for every item from `from` up to but not including `to`. */
    each: { from: number; to: number; formula: Formula }[];
    /** Holds for at least one item in that range. */
    some: { from: number; to: number; formula: Formula }[];
    contains: { formula: Formula; min: number; max: number }[];
    unique: boolean;
    repeated: boolean;
  };
  object: {
    min: number;
    max: number;
    required: Set<string>;
    forbidden: Set<string>;
    each: { test: MemberTest; formula: Formula }[];
    some: { test: MemberTest; formula: Formula }[];
    names: Formula[];
    someName: Formula[];
  };
  collectors: Map<number, Collector>;
  /** Conditions that do not guide the search and are only checked on the finished value. */
  checks: readonly Formula[];
}

/** A facet without a denial is never negated, because it occurs only inside a denial. */
export function facet(mask: number, constrain: (shape: Shape) => void, denial: () => Formula = refuseDenial): Formula {
  return { op: "facet", kinds: mask, constrain, denial };
}

/** Postpones a formula until the value exists. */
export function checkLater(formula: Formula): Formula {
  return facet(everyKind, (shape) => {
    shape.checks = [...shape.checks, formula];
  });
}

function refuseDenial(): never {
  throw new Error("this facet is only ever asserted");
}

export const trueFormula: Formula = { op: "and", of: [] };
export const falseFormula: Formula = { op: "or", of: [] };

export function negate(formula: Formula): Formula {
  switch (formula.op) {
    case "schema":
      return { op: "schema", node: formula.node, sign: !formula.sign, scope: formula.scope };
    case "and":
      return { op: "or", of: formula.of.map(negate) };
    case "or":
      return { op: "and", of: formula.of.map(negate) };
    case "in":
      return { op: "out", values: formula.values };
    case "out":
      return { op: "in", values: formula.values };
    case "kinds":
      return { op: "kinds", kinds: everyKind & ~formula.kinds };
    case "facet":
      return { op: "or", of: [{ op: "kinds", kinds: everyKind & ~formula.kinds }, formula.denial()] };
  }
}

/** Whether two lists contain the identical formulas. */
export function isSame(a: readonly Formula[], b: readonly Formula[]): boolean {
  return a.length === b.length && a.every((formula, index) => formula === b[index]);
}
