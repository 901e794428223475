/** A choice that a protocol leaves to its implementers. */
export interface Freedom {
  /** In kebab-case, unique in the protocol. */
  id: string;
  /** Clause of the specification, or our position on it. */
  clause: string;
  /** Ids of the affected rules. */
  rules: string[];
  /** The behaviour that refuses everything that may be refused, or follows the narrowest reading. */
  strict: string;
  /** The behaviour that accepts everything that may be accepted, or follows the widest reading. */
  lenient: string;
  /** Where the choice becomes visible: judging a document, the conduct of a live implementation, or sending a message to it. */
  shows: "judgement" | "conduct" | "sending";
}

/** A position that does not leave a choice, and the reason. It is not in the list of freedoms. */
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
