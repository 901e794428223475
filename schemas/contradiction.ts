import type { Json } from "./json.ts";
import type { Capability } from "./vector.ts";

/** An assertion with a more lenient value under a reading. */
export interface PartialLift {
  /** Schema location of the assertion: the `$id` of its schema, `#` and a JSON Pointer. */
  at: string;
  /** Its value under the reading. */
  to: Json;
}

/** An assertion that a reading lifts, as a schema location, or lifts in part. */
export type Lift = string | PartialLift;

/** The schema location of a lifted assertion. */
export function placeOfLift(lift: Lift): string {
  return typeof lift === "string" ? lift : lift.at;
}

/** One way to read a specification that contradicts itself. */
export interface NamedReading {
  /** In kebab-case, unique in the protocol. */
  name: string;
  /** Its former names, which can still be used to choose it. */
  formerly?: string[];
  says: string;
  /** The readers who follow this reading, by their names in the `readings` of disputed vectors, in full or up to a comma. They include the reading's own name. */
  by?: string[];
  /** Assertions that do not bind under the reading, or only in part. */
  lifts?: Lift[];
  /** Set if a null member counts as absent. */
  nulls?: "absent";
  /** Rules that a message may break without being refused. */
  tolerates?: string[];
  /** Capabilities that a target needs for the reading to apply. */
  needs?: Capability[];
}

/** A contradiction of a specification: no target fails because of it, unless a reading is chosen. */
export interface Contradiction {
  about: string;
  /** The clauses that contradict each other. */
  clause: string;
  /** The affected rules. */
  rules: string[];
  /** At least two. */
  readings: NamedReading[];
}
