import type { Capability } from "./vector.ts";

/** One way to read a specification where it contradicts itself. */
export interface NamedReading {
  /** In kebab-case, unlike any other of the protocol. */
  name: string;
  /** Names that it had before; they still choose it. */
  formerly?: string[];
  says: string;
  /** Who reads disputed vectors so, as their `readings` name them: in full, or up to a comma. Its own name is one of them. */
  by?: string[];
  /** Schema locations that do not bind under it. */
  lifts?: string[];
  /** Rules that a message may break and still has to be accepted. */
  tolerates?: string[];
  /** What a target must be able to do to be held to what it decides. */
  needs?: Capability[];
}

/** What a specification says in several ways, so that nobody is accused in its name unless one of them is chosen. */
export interface Contradiction {
  about: string;
  /** Where the specification says what. */
  clause: string;
  /** The rules that it is about. */
  rules: string[];
  /** At least two. */
  readings: NamedReading[];
}
