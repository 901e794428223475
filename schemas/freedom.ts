/** Something that a protocol leaves to those who implement it. */
export interface Freedom {
  /** In kebab-case, unlike any other of the protocol. */
  id: string;
  /** Clause of the specification, or our position on it. */
  clause: string;
  /** Ids of the rules that it concerns. */
  rules: string[];
  /** The behaviour that refuses everything that may be refused, or follows the narrowest reading. */
  strict: string;
  /** The behaviour that accepts everything that may be accepted, or follows the widest reading. */
  lenient: string;
  /** Its place: in the judgement of a document, in the conduct of a live implementation, or in a message to one. */
  shows: "judgement" | "conduct" | "sending";
}

/** A position without an entry in the list, and the reason why it leaves no choice. */
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
