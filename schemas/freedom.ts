/** Something that a protocol leaves to those who implement it. */
export interface Freedom {
  /** In kebab-case, unique in the protocol. */
  id: string;
  /** Clause of the specification, or our position on it. */
  clause: string;
  /** Ids of the rules that it concerns. */
  rules: string[];
  /** The behaviour that refuses everything that may be refused, or follows the narrowest reading. */
  strict: string;
  /** The behaviour that accepts everything that may be accepted, or follows the widest reading. */
  lenient: string;
  /** The context in which the choice shows: judging a document, the conduct of a live implementation, or sending a message to it. */
  shows: "judgement" | "conduct" | "sending";
}

/** A position that leaves no choice, and the reason. It has no entry in the list. */
export interface Settled {
  position: string;
  why: string;
}

export interface FreedomFile {
  $schema: string;
  protocol: string;
  version: string;
  freedoms: Freedom[];
  settled: Settled[];
}
