import type { Json } from "../../schemas/index.ts";
import type { Formula } from "../formulas/formula.ts";
import type { Random } from "./random.ts";

/** Draws values for one conjunction of formulas. */
export interface Maker {
  /**
   * A value; optional parts nest at most `room` deep. Undefined when none was found: a member is then left out, an array ends, and
   * a value that needs it gives up as well.
   */
  draw(random: Random, room: number): Json | undefined;
}

/** Draws values of one shape and one type. */
export interface Part {
  draw(random: Random, room: number): Json | undefined;
  /** Makers that every value needs, and others with a least number that is needed: they decide the depth of the smallest value. */
  needs: readonly Maker[];
  either?: { count: number; of: readonly Maker[] };
  /** Whether every value is right by construction; otherwise it is checked. */
  certain: boolean;
}

/** All makers of one model. Equal conjunctions share a maker. */
export interface Makers {
  of(formulas: readonly Formula[]): Maker;
  /** Nesting of its smallest value. Only known inside `draw`. */
  least(maker: Maker): number;
  /** Whether there is any value, as far as known. */
  isAlive(maker: Maker): boolean;
  /** A value that the solver found, however it is drawn. */
  solved(maker: Maker, random: Random): Json | undefined;
  /** Whether a value, such as a member name, fulfils the formulas. */
  holds(formulas: readonly Formula[], value: Json): boolean;
}
