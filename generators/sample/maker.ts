import type { Json } from "../../schemas/index.ts";
import type { Formula } from "../formulas/formula.ts";
import type { Random } from "./random.ts";

/** Draws values for one conjunction of formulas. */
export interface Maker {
  /**
   * Draws a value with optional parts nested at most `room` deep. Undefined if none was found. An optional member is then left out, an array ends, and
   * a value that needs this one is undefined too.
   */
  draw(random: Random, room: number): Json | undefined;
}

/** Draws values of one shape and one type. */
export interface Part {
  draw(random: Random, room: number): Json | undefined;
  /** The makers that every value needs. With `either`, they decide the depth of the smallest value. */
  needs: readonly Maker[];
  /** Optional makers, and how many of them every value needs. */
  either?: { count: number; makers: readonly Maker[] };
  /** Whether every drawn value is valid by construction. If not, it is checked. */
  isCertain: boolean;
}

/** All makers of one model. Equal conjunctions share a maker. */
export interface Makers {
  makerFor(formulas: readonly Formula[]): Maker;
  /** The nesting of a maker's smallest value. Known only during `draw`. */
  leastNesting(maker: Maker): number;
  /** Whether a maker has any value, as far as is known. */
  isAlive(maker: Maker): boolean;
  /** Draws one of the values that the solver found for a maker. */
  drawSolution(maker: Maker, random: Random): Json | undefined;
  /** Whether a value, such as a member name, fulfils the formulas. */
  holds(formulas: readonly Formula[], value: Json): boolean;
}
