import type { Collector, Focus, Formula, Shape } from "../formulas/formula.ts";
import type { Location, Model, Scope } from "../model/model.ts";

/** The part of the search for a value that is visible to a keyword. */
export interface ValueSearch {
  readonly model: Model;
  /** Records that something was not tried, so that an empty result is not a proof. */
  giveUp(what: string): void;
  /**
   * Returns the formula for a branch that must fail. A hopeful search omits it while it builds a value, and checks the finished value instead.
   */
  avoid(formula: Formula): Formula;
}

/** The step of a focus through one keyword. */
export interface FocusStep {
  key: string | number | undefined;
  focus: Focus;
}

/** The construction of a shape from a schema. */
export interface ShapeConstruction {
  search: ValueSearch;
  shape: Shape;
  scope: Scope;
  /** The collectors of evaluated parts, by number. */
  into: readonly number[];
  /** Formulas that must hold too. */
  todo: Formula[];
  /** Lists of alternatives. One of each list must hold. */
  choices: (readonly Formula[])[];
}

/** The assertion of one keyword in a shape, with formulas for its subschemas. */
export class AssertContext {
  readonly construction: ShapeConstruction;
  readonly path: FocusStep | undefined;
  /** Whether the keyword must be broken. Set only for a keyword that depends on the evaluation of others. */
  readonly isBroken: boolean;

  constructor(construction: ShapeConstruction, path: FocusStep | undefined, isBroken: boolean) {
    this.construction = construction;
    this.path = path;
    this.isBroken = isBroken;
  }

  get shape(): Shape {
    return this.construction.shape;
  }

  get collectors(): Collector[] {
    const { into, shape } = this.construction;
    return into.map((id) => shape.collectors.get(id) as Collector);
  }

  /** Returns a formula: a part of the value fulfils a schema, along the path if the path leads there. */
  child(node: Location, key?: string | number): Formula {
    const plain = this.mustHold(node);
    return this.path !== undefined && this.path.key === key ? { ...plain, focus: this.path.focus } : plain;
  }

  /** Like `child`, for a schema that several children share: only one of them has to follow the path. */
  childOnAnyPath(node: Location, key?: string): Formula {
    const child = this.child(node, key);
    return this.path !== undefined && this.path.key === key ? { op: "or", of: [this.mustHold(node), child] } : child;
  }

  /** Returns a formula: the value itself fulfils a schema, along the path if the path leads there. */
  inPlace(node: Location, key?: string | number): Formula {
    return { ...this.child(node, key), into: this.construction.into } as Formula;
  }

  /** Returns a formula: a schema holds, on any path. */
  mustHold(node: Location): Extract<Formula, { op: "schema" }> {
    return { op: "schema", node, sign: true, scope: this.construction.scope };
  }

  mustFail(node: Location): Formula {
    return { op: "schema", node, sign: false, scope: this.construction.scope };
  }

  /** Returns a formula: a schema fails. A hopeful search may check this only afterwards. */
  avoid(node: Location): Formula {
    return this.construction.search.avoid(this.mustFail(node));
  }
}
