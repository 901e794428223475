import type { Collector, Focus, Formula, Shape } from "../formulas/formula.ts";
import type { Location, Model, Scope } from "../model/model.ts";

/** The part of the search for a value that a keyword sees. */
export interface Searching {
  readonly model: Model;
  /** Notes that something was left untried, so that an empty result is not a proof. */
  giveUp(what: string): void;
  /**
   * The demand on a value if a branch must fail. A hopeful search does not work towards it: the value is made without it, and
   * looked at.
   */
  avoid(formula: Formula): Formula;
}

/** The path of a focus through one keyword. */
export interface TakenWay {
  key: string | number | undefined;
  focus: Focus;
}

/** The construction of a shape from a schema, and its result. */
export interface Taking {
  search: Searching;
  shape: Shape;
  scope: Scope;
  /** The collectors of evaluated parts, by number. */
  into: readonly number[];
  /** Formulas that must hold too. */
  todo: Formula[];
  /** Lists of alternatives, one of each list must hold. */
  choices: (readonly Formula[])[];
}

/** One keyword of a schema on its way into a shape, with formulas for its own schemas. */
export class Asserting {
  readonly taking: Taking;
  readonly way: TakenWay | undefined;
  /** Whether it must be broken: given only to a keyword that depends on the evaluation of others. */
  readonly isBroken: boolean;

  constructor(taking: Taking, way: TakenWay | undefined, isBroken: boolean) {
    this.taking = taking;
    this.way = way;
    this.isBroken = isBroken;
  }

  get shape(): Shape {
    return this.taking.shape;
  }

  get collectors(): Collector[] {
    const { into, shape } = this.taking;
    return into.map((id) => shape.collectors.get(id) as Collector);
  }

  /** A schema that holds for a part of the value, on the path if that leads there. */
  child(node: Location, key?: string | number): Formula {
    const plain = this.holding(node);
    return this.way !== undefined && this.way.key === key ? { ...plain, focus: this.way.focus } : plain;
  }

  /** The same if several children share one schema: only one of them is on the path, the others may stay plain. */
  eitherWay(node: Location, key?: string): Formula {
    const child = this.child(node, key);
    return this.way !== undefined && this.way.key === key ? { op: "or", of: [this.holding(node), child] } : child;
  }

  /** A schema that holds for the value itself, on the path if that leads there. */
  inPlace(node: Location, key?: string | number): Formula {
    return { ...this.child(node, key), into: this.taking.into } as Formula;
  }

  /** A schema that holds, on any path. */
  holding(node: Location): Extract<Formula, { op: "schema" }> {
    return { op: "schema", node, sign: true, scope: this.taking.scope };
  }

  not(node: Location): Formula {
    return { op: "schema", node, sign: false, scope: this.taking.scope };
  }

  /** A schema that must fail, which a hopeful search may leave to chance. */
  unless(node: Location): Formula {
    return this.taking.search.avoid(this.not(node));
  }
}
