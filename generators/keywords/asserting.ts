import type { Collector, Focus, Formula, Shape } from "../formulas/formula.ts";
import type { Location, Model, Scope } from "../model/model.ts";

/** What a keyword sees of the search for a value. */
export interface Searching {
  readonly model: Model;
  /** Notes that something was left untried, so that an empty result is no proof. */
  giveUp(what: string): void;
  /**
   * What is asked of a value where a branch must not hold. A hopeful search does not work towards it: the value is made without it, and
   * looked at.
   */
  avoid(formula: Formula): Formula;
}

/** The way that a focus takes through one keyword. */
export interface TakenWay {
  key: string | number | undefined;
  focus: Focus;
}

/** A schema on its way into a shape, and what comes of it. */
export interface Taking {
  search: Searching;
  shape: Shape;
  scope: Scope;
  /** The collectors that hear of what is evaluated, by number. */
  into: readonly number[];
  /** Formulas that must hold too. */
  todo: Formula[];
  /** Alternatives, one of each of which must hold. */
  choices: (readonly Formula[])[];
}

/** One keyword of a schema on its way into a shape, with formulas for its own schemas. */
export class Asserting {
  readonly taking: Taking;
  readonly way: TakenWay | undefined;
  /** Whether it is to be broken: only said to one that asks what the others have evaluated. */
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

  /** A schema that holds for a part of the value, on the way if that leads there. */
  child(node: Location, key?: string | number): Formula {
    const plain = this.holding(node);
    return this.way !== undefined && this.way.key === key ? { ...plain, focus: this.way.focus } : plain;
  }

  /** The same where several children share one schema: only one of them takes the way, the others may stay plain. */
  eitherWay(node: Location, key?: string): Formula {
    const child = this.child(node, key);
    return this.way !== undefined && this.way.key === key ? { op: "or", of: [this.holding(node), child] } : child;
  }

  /** A schema that holds for the value itself, on the way if that leads there. */
  inPlace(node: Location, key?: string | number): Formula {
    return { ...this.child(node, key), into: this.taking.into } as Formula;
  }

  /** A schema that holds, whatever the way. */
  holding(node: Location): Extract<Formula, { op: "schema" }> {
    return { op: "schema", node, sign: true, scope: this.taking.scope };
  }

  not(node: Location): Formula {
    return { op: "schema", node, sign: false, scope: this.taking.scope };
  }

  /** A schema that must not hold, where a hopeful search may leave it to luck. */
  unless(node: Location): Formula {
    return this.taking.search.avoid(this.not(node));
  }
}
