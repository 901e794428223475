import type { Json } from "./json.ts";
import type { Capability } from "./vector.ts";

/** An assertion that has another value under a reading, which accepts more. */
export interface PartialLift {
  /** Schema location of the assertion: the `$id` of its schema, `#` and a JSON Pointer. */
  at: string;
  /** Its value under the reading. */
  to: Json;
}

/** An assertion that does not bind under a reading, as a schema location, or binds in part. */
export type Lift = string | PartialLift;

/** The schema location of a lifted assertion. */
export function placeOfLift(lift: Lift): string {
  return typeof lift === "string" ? lift : lift.at;
}

/** One way to read a specification that contradicts itself. */
export interface NamedReading {
  /** In kebab-case, unique in the protocol. */
  name: string;
  /** Names that it had before; they still choose it. */
  formerly?: string[];
  says: string;
  /** The readers with this reading, as the `readings` of disputed vectors name them, in full or up to a comma. The reading's own name is one of them. */
  by?: string[];
  /** Assertions that do not bind under the reading, or only in part. */
  lifts?: Lift[];
  /** A member that is null counts as absent. */
  nulls?: "absent";
  /** Rules that a message may break and must still be accepted. */
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
