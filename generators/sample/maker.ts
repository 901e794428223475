import type { Json } from "../../schemas/index.ts";
import type { Formula } from "../formulas/formula.ts";
import type { Random } from "./random.ts";

/** Draws values for one conjunction of formulas. */
export interface Maker {
  /**
   * A value with optional parts nested at most `room` deep. Undefined if none was found: then an optional member is left out, an array ends, and a value that
   * needs it fails too.
   */
  draw(random: Random, room: number): Json | undefined;
}

/** Draws values of one shape and one type. */
export interface Part {
  draw(random: Random, room: number): Json | undefined;
  /** The makers that every value needs, and others with the minimum number that a value needs. They decide the depth of the smallest value. */
  needs: readonly Maker[];
  either?: { count: number; of: readonly Maker[] };
  /** Whether every value is right by construction. Otherwise it is checked. */
  certain: boolean;
}

/** All makers of one model. Equal conjunctions share a maker. */
export interface Makers {
  of(formulas: readonly Formula[]): Maker;
  /** The nesting of a maker's smallest value. Known only during `draw`. */
  least(maker: Maker): number;
  /** Whether a maker has any value, as far as is known. */
  isAlive(maker: Maker): boolean;
  /** A value that the solver found for a maker. */
  solved(maker: Maker, random: Random): Json | undefined;
  /** Whether a value, such as a member name, fulfils the formulas. */
  holds(formulas: readonly Formula[], value: Json): boolean;
}
