import type { Json } from "../../schemas/index.ts";
import type { Location, Scope, Step } from "../model/model.ts";

/** A way down to one schema, and what is demanded there beyond the schema itself. */
export interface Focus {
  steps: readonly Step[];
  end: { break: Location } | { also: Formula };
}

/**
 * What is asked of one value. `schema` with sign false asks for a value that the schema refuses. A `focus` makes the solver take
 * that way through the schema.
 */
export type Formula =
  | { op: "schema"; node: Location; sign: boolean; scope: Scope; focus?: Focus; into?: readonly number[] }
  | { op: "and" | "or"; of: readonly Formula[] }
  | { op: "in" | "out"; values: readonly Json[] }
  | { op: "kinds"; kinds: number }
  | Facet;

/** A constraint that is stated on the shape itself; `denial` is its opposite. */
export interface Facet {
  op: "facet";
  kinds: number;
  constrain: (shape: Shape) => void;
  denial: () => Formula;
}

/** Which members of an object something applies to. */
export type MemberTest =
  | { of: "name"; name: string }
  | { of: "pattern"; regexp: RegExp }
  | { of: "rest"; names: ReadonlySet<string>; patterns: readonly RegExp[] };

/** What is evaluated inside one schema with `unevaluated*`. */
export interface Collector {
  names: Set<string>;
  patterns: RegExp[];
  allMembers: boolean;
  prefix: number;
  allItems: boolean;
  contains: Formula[];
  members?: Unevaluated;
  items?: Unevaluated;
}

interface Unevaluated {
  formula: Formula;
  sign: boolean;
  focused: Formula | undefined;
}

/** Signs of schemas by location, as a list of layers: a clone of a shape adds a layer instead of copying. */
export interface Judged {
  own: Map<string, boolean>;
  outer: Judged | undefined;
}

/** One conjunction of constraints, sorted by the kind of value they speak of: what is left of a formula once every choice is made. */
export interface Shape {
  /** Schemas that hold, or do not, for the value as a whole: one that does both leaves nothing. */
  judged: Judged;
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
    /** Holds for every item from `from` up to, not including, `to`. */
    each: { from: number; to: number; formula: Formula }[];
    /** Holds for at least one item in that stretch. */
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
  /** What is not worked towards, only looked at when the value is there. */
  checks: readonly Formula[];
}

/** A facet that nothing ever negates, because it only occurs inside a denial. */
export function facet(mask: number, constrain: (shape: Shape) => void, denial: () => Formula = undeniable): Formula {
  return { op: "facet", kinds: mask, constrain, denial };
}

/** Leaves a formula to be looked at when the value is there. */
export function checked(formula: Formula): Formula {
  return facet(everyKind, (shape) => {
    shape.checks = [...shape.checks, formula];
  });
}

function undeniable(): never {
  throw new Error("this facet is only ever asserted");
}

export const always: Formula = { op: "and", of: [] };
export const never: Formula = { op: "or", of: [] };

/** The seven kinds of value as bits: JSON's types with numbers split into integers and the rest. */
export const kinds = { null: 1, boolean: 2, integer: 4, fraction: 8, string: 16, array: 32, object: 64 } as const;
export const numbers: number = kinds.integer | kinds.fraction;
export const everyKind = 127;

export function kindOf(value: Json): number {
  if (value === null) return kinds.null;
  if (Array.isArray(value)) return kinds.array;
  if (typeof value === "number") return Number.isInteger(value) ? kinds.integer : kinds.fraction;
  return kinds[typeof value as "boolean" | "string" | "object"];
}

/** The kinds that a `type` keyword admits. */
export function kindsOf(types: readonly string[]): number {
  return types.reduce(
    (mask, type) => mask | (type === "number" ? numbers : (kinds[type as keyof typeof kinds] ?? 0)),
    0,
  );
}

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

/** Whether two lists hold the very same formulas. */
export function isSame(a: readonly Formula[], b: readonly Formula[]): boolean {
  return a.length === b.length && a.every((formula, index) => formula === b[index]);
}
