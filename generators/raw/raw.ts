import type { Capability, Json, TextIssue } from "../../schemas/index.ts";
import type { Layout } from "./text.ts";

/** A valid vector with a text that is changed. */
export interface RawParent {
  id: string;
  value: Json;
  /** Without white space. */
  layout: Layout;
}

/** The place of one value in a parent's text, with the text before and after it. */
export interface Spot {
  parent: RawParent;
  at: string;
  value: Json;
  before: string;
  after: string;
}

/** The input of a family: one document's valid vectors. */
export interface RawContext {
  /** The one with the fewest members. */
  minimal: RawParent;
  /** JSON Pointer to the member that distinguishes the document from others, and the values of the others. */
  discriminator: { at: string; others: readonly string[] } | undefined;
  /** Whether this is the protocol's first document: texts that are too large for every document are published for this one. */
  first: boolean;
  /** Whether an earlier document has the same reader, and has all texts: the reading of a text does not depend on its content. Never for foreign documents, with sets that are complete by themselves. */
  again: boolean;
  /** The levels of nesting that no reader may refuse, if the protocol names them: RFC 8259 lets a reader set its own limit. */
  levels: number | undefined;
  accepts(value: Json): boolean;
  /** The first place with a value that passes the test. */
  find(test: (value: Json, at: string, spot: Spot) => boolean): Spot | undefined;
  /** The first place where each of these values would be valid, and none of the others. */
  spot(fitting: readonly Json[], unfit?: readonly Json[]): Spot | undefined;
  /** Another value from the valid vectors that would be valid at a place. */
  other(parent: RawParent, at: string): Json | undefined;
}

/** One text to run, or bytes if it is not text. Its verdict follows from the issue. */
export interface RawProposal {
  parent: RawParent;
  /** Distinguishes siblings of one family, as the last part of the id. */
  detail: string;
  /** The member concerned, if a detail has several: one more part of the id. */
  of?: string;
  text: string | Uint8Array;
  /** The special feature, as a clause after "the text". */
  says: string;
  issue: TextIssue;
  /** Its clause, if the issue alone does not give it: `RFC 8259, 4`. */
  clause?: string;
  at?: string;
  needs?: Capability[];
  tags?: string[];
}

/** A family of texts that are not JSON, or that write the same value differently. */
export interface RawFamily {
  name: string;
  /** Whether it concerns the members of a document, so that each document needs its own texts. */
  ofMembers?: true;
  propose(context: RawContext): Iterable<RawProposal>;
}
